package observe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
)

// Bounds of one fetch. A heap profile of a large program has a few MiB.
const (
	patience    = 20 * time.Second
	mostProfile = 128 << 20 // bytes, as they are sent
)

// Address is where a program serves its heap profile, as net/http/pprof does.
type Address struct {
	url      *url.URL
	client   *http.Client
	answered bool // there has been a profile
}

// IsAddress reports whether a word of a command line is an address and not a
// file.
func IsAddress(word string) bool {
	scheme, _, ok := strings.Cut(strings.ToLower(word), "://")
	return ok && (scheme == "http" || scheme == "https")
}

// NewAddress reads an address. One without a path, or with that of the index of
// net/http/pprof, is that of the program's allocs profile.
func NewAddress(text string) (*Address, error) {
	u, err := url.Parse(text)
	if err != nil {
		var parse *url.Error
		if errors.As(err, &parse) {
			err = parse.Err
		}
		return nil, fmt.Errorf("not an address: %w", err)
	}
	if u.Hostname() == "" {
		return nil, errors.New("the address has no host; write http://localhost:6060/debug/pprof/allocs")
	}
	if u.Query().Has("seconds") {
		return nil, errors.New("with seconds= the program sends a difference; leave it out, the differences are taken here")
	}
	switch strings.TrimSuffix(u.Path, "/") {
	case "", "/debug/pprof":
		u.Path = "/debug/pprof/allocs"
	}
	return &Address{url: u, client: &http.Client{Timeout: patience, CheckRedirect: stay}}, nil
}

// stay follows redirects within a server only: another one was not asked for.
func stay(r *http.Request, via []*http.Request) error {
	if r.URL.Host != via[0].URL.Host || len(via) > 5 {
		return http.ErrUseLastResponse
	}
	return nil
}

// Host names the program, "localhost:6060".
func (a *Address) Host() string { return a.url.Host }

// Fetch fetches the profile as it is now. It is for one goroutine at a time.
func (a *Address) Fetch(ctx context.Context) (*profile.Profile, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url.String(), nil)
	if err != nil {
		return nil, err
	}
	response, err := a.client.Do(request)
	if err != nil {
		return nil, a.explain(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, a.refused(response)
	}
	p, err := alloccount.ReadProfile(&bounded{from: response.Body, left: mostProfile})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.url.Redacted(), a.explain(err))
	}
	a.answered = true
	return p, nil
}

// refused says what a server answered in place of a profile.
func (a *Address) refused(r *http.Response) error {
	what := ""
	switch r.StatusCode {
	case http.StatusNotFound:
		what = "; does the program import net/http/pprof, and is this its path?"
	case http.StatusUnauthorized, http.StatusForbidden:
		what = "; the address may have a name and a password, as http://name:password@host"
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		what = fmt.Sprintf(" and names another server, %q; give its address if it is meant", r.Header.Get("Location"))
	}
	return fmt.Errorf("%s answers %s%s", a.url.Redacted(), r.Status, what)
}

// explain says in the words of who looks at a program what the network says.
func (a *Address) explain(err error) error {
	var request *url.Error
	if errors.As(err, &request) {
		err = request.Err // without the address, which may have a password
	}
	var wait net.Error
	gone := errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	switch {
	case gone && a.answered:
		return fmt.Errorf("the program at %s ended, or serves no more (%w)", a.url.Host, err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("nothing listens at %s; is the program running? (%w)", a.url.Host, err)
	case errors.As(err, &wait) && wait.Timeout():
		return fmt.Errorf("%s did not answer within %v", a.url.Host, patience)
	}
	return err
}

// bounded reads no more than is left.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("it is larger than %d MiB", mostProfile>>20)
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
