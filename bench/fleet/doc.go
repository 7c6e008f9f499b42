// Package fleet drives the engines of several targets as one run: one target at a time, or all at the same load. It is what a dashboard sees of them.
package fleet
