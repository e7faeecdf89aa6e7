package offcpu

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/alloctop/alloctop/alloccount"
	"github.com/alloctop/alloctop/internal/plainerr"
)

// Read reads a wall-clock profile from a file, or from an http or https address
// such as http://localhost:6060/debug/fgprof?seconds=10. The program that
// answers takes those seconds, 30 if there are none in the address; Read gives
// it half a minute more, and gives up when ctx is done. Errors name from, without
// the password that an address may have.
func Read(ctx context.Context, from string) (*profile.Profile, error) {
	p, err := read(ctx, from)
	if err != nil {
		if u, parse := url.Parse(from); parse == nil && u.User != nil {
			from = u.Redacted()
		}
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	return p, nil
}

func read(ctx context.Context, from string) (*profile.Profile, error) {
	if strings.HasPrefix(from, "http://") || strings.HasPrefix(from, "https://") {
		return fetch(ctx, from)
	}
	f, err := os.Open(from)
	if err != nil {
		return nil, plainerr.WithoutPath(err)
	}
	defer f.Close()
	return alloccount.ReadProfile(f)
}

// Bounds of one fetch. A wall-clock profile has a few MiB.
const (
	grace       = 30 * time.Second
	mostProfile = 128 << 20 // bytes, as they are sent
)

func fetch(ctx context.Context, address string) (*profile.Profile, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("not an address")
	}
	wait := defaultSeconds * time.Second
	if n, err := strconv.Atoi(u.Query().Get("seconds")); err == nil && n > 0 && n <= mostSeconds {
		wait = time.Duration(n) * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, wait+grace)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, errors.New("not an address")
	}
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext, TLSHandshakeTimeout: 10 * time.Second, DisableKeepAlives: true}
	resp, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		var inside *url.Error
		if errors.As(err, &inside) {
			err = inside.Err // it names the address again
		}
		return nil, fmt.Errorf("no profile was got: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 200))
		return nil, fmt.Errorf("the program answered %s: %q", resp.Status, strings.TrimSpace(string(text)))
	}
	p, err := alloccount.ReadProfile(http.MaxBytesReader(nil, resp.Body, mostProfile))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return nil, fmt.Errorf("the profile is larger than %d MiB", mostProfile>>20)
	}
	return p, err
}
