package browsertest

import (
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const escape = kb.Escape

// mouse presses the mouse at a place of the window, after moving there as a
// hand does.
func mouse(x, y float64) chromedp.Action[chromedp.Void] {
	return chromedp.MouseClickXY(x, y)
}

func keys(k string) chromedp.Action[chromedp.Void] { return chromedp.KeyEvent(k) }

func eval0(expression string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](expression)
}

// typing writes into an input.
func typing(selector, text string) chromedp.Action[chromedp.Void] {
	return chromedp.SendKeys(chromedp.CSS(selector), text)
}
