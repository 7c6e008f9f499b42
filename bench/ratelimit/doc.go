// Package ratelimit reads what the headers of an answer say of quotas, and of when to come back, in the words of every
// provider. It keeps no state and reads no clock.
//
// Providers agree neither on names nor on values: the same reset comes as 6m0s, 26.5, an epoch in seconds or in
// milliseconds, a timestamp or a date. So there is one grammar of names (a prefix, one of limit, remaining and reset,
// and the words around it in any order) and one of values, rather than one reader for each provider. Providers appear
// only where the names alone mislead: see family.
package ratelimit
