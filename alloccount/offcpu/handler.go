package offcpu

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Times that a client may ask for.
const (
	defaultSeconds = 30 // as fgprof
	mostSeconds    = 3600
)

// Handler serves the wall-clock profile of the program, as fgprof.Handler does:
// at /debug/fgprof?seconds=N, by custom. It differs in that it stops sampling
// when the client goes away, where fgprof's goes on to the end.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seconds := defaultSeconds
		if text := r.URL.Query().Get("seconds"); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 || n > mostSeconds {
				http.Error(w, fmt.Sprintf("seconds is a number from 1 to %d", mostSeconds), http.StatusBadRequest)
				return
			}
			seconds = n
		}
		p, err := During(r.Context(), time.Duration(seconds)*time.Second)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_ = p.Write(w) // the client went away: nobody is left to be told
	})
}
