package main

import (
	"errors"
	"net"
	"os"
	"strconv"

	"github.com/alloctop/alloctop/web"
)

// setAddress is what a flag does that takes an address to listen at.
func setAddress(address *string) func(string) error {
	return func(s string) error {
		if _, port, err := net.SplitHostPort(s); err != nil || !isPort(port) {
			return errors.New("it takes host:port, as 127.0.0.1:8080 or :8080; port 0 is any that is free")
		}
		*address = s
		return nil
	}
}

func isPort(s string) bool {
	_, err := strconv.ParseUint(s, 10, 16)
	return err == nil
}

// door is where browsers find a page.
type door struct {
	net.Listener
	hosts []string // names by which they may ask for it
	url   string
}

// openDoor listens at an address.
func openDoor(address string) (*door, error) {
	l, err := web.Listen(address)
	if err != nil {
		return nil, err
	}
	at, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		l.Close()
		return nil, errors.New("not an address of TCP")
	}
	d := &door{Listener: l}
	if host, _, err := net.SplitHostPort(address); err == nil && host != "" && net.ParseIP(host) == nil {
		d.hosts = append(d.hosts, host)
	}
	host := at.IP.String()
	if d.public() {
		if name, err := os.Hostname(); err == nil && name != "" {
			d.hosts = append(d.hosts, name)
			if at.IP.IsUnspecified() {
				host = name
			}
		}
	}
	d.url = "http://" + net.JoinHostPort(host, strconv.Itoa(at.Port)) + "/"
	return d, nil
}

// public reports whether other machines can reach the page.
func (d *door) public() bool { return !d.Addr().(*net.TCPAddr).IP.IsLoopback() }

// warn says who can see the page, if that is more than who uses this machine.
func (a *app) warnPublic(d *door) {
	if d.public() {
		say(a.stderr, "warning: whoever reaches %s sees the page; there is no password", d.url)
	}
}
