// Package chart draws numbers: lanes over time, their axes, the load bar, big digits, the load curve and histograms, and the text
// of the numbers themselves. It knows columns, scales and looks; it must not know what a run is, nor where on the screen it draws.
//
// Everything is written into a style.Row, a row at a time, so that charts share rows with text and looks merge across them.
// Whatever is asked, drawing never panics, and every row is exactly as wide as promised.
package chart
