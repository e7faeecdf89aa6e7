package main

import (
	"cmp"
	"io"
	"os"
	"strconv"
	"syscall"
	"unsafe"

	"github.com/alloctop/alloctop/alloccount"
)

// columns returns the width of the terminal that w is, 0 if it is none.
func columns(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	switch {
	case errno != 0:
		return 0
	case size.columns == 0: // a terminal that does not know
		return 80
	}
	return int(size.columns)
}

// columnsAsked returns what COLUMNS asks for, 0 if nothing.
func columnsAsked() int {
	n, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || n < 1 {
		return 0
	}
	return n
}

// textOptions fits the text report to where it is written.
func textOptions(w io.Writer, top int) alloccount.TextOptions {
	width := columns(w)
	o := alloccount.TextOptions{Top: top, Width: min(cmp.Or(width, columnsAsked()), 100)}
	o.Color = width > 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return o
}
