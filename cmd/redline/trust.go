package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"strings"
)

// pemSize bounds a file of certificates: a machine's whole list fits.
const pemSize = 4 << 20

// trust is what the flags say of certificates; nil where they say nothing.
func (p *protocol) trust(ctx context.Context, given func(string) bool, found *problems) *tls.Config {
	c := &tls.Config{InsecureSkipVerify: p.insecure}
	if p.insecure && p.caFile != "" {
		found.addSwitch("insecure", "want no --ca-file with it; one says that no certificate is checked, the other by what")
	}
	if given("ca-file") {
		c.RootCAs = p.authorities(ctx, found)
	}
	switch {
	case p.certFile != "" && p.keyFile != "":
		if pair, ok := p.pair(ctx, found); ok {
			c.Certificates = []tls.Certificate{pair}
		}
	case given("client-cert") && p.certFile == "":
		found.add("client-cert", "", "want the path of a file")
	case given("client-key") && p.keyFile == "":
		found.add("client-key", "", "want the path of a file")
	case p.certFile != "":
		found.add("client-cert", p.certFile, "want --client-key with it, the file of its key")
	case p.keyFile != "":
		found.add("client-key", p.keyFile, "want --client-cert with it, the file of its certificate")
	}
	if !p.insecure && c.RootCAs == nil && len(c.Certificates) == 0 {
		return nil
	}
	return c
}

// authorities are the system's and those of --ca-file.
func (p *protocol) authorities(ctx context.Context, found *problems) *x509.CertPool {
	text, err := readSmall(ctx, p.caFile, pemSize)
	if err != nil {
		found.add("ca-file", p.caFile, err.Error())
		return nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text) {
		found.add("ca-file", p.caFile, "want a PEM file with at least one certificate")
		return nil
	}
	return pool
}

// pair is the certificate of --client-cert with its key.
func (p *protocol) pair(ctx context.Context, found *problems) (tls.Certificate, bool) {
	before := len(found.list)
	cert, err := readSmall(ctx, p.certFile, pemSize)
	if err != nil {
		found.add("client-cert", p.certFile, err.Error())
	} else if !hasBlock(cert, "CERTIFICATE") {
		found.add("client-cert", p.certFile, "want a PEM file with a certificate")
	}
	key, err := readSmall(ctx, p.keyFile, pemSize)
	switch {
	case err != nil:
		found.add("client-key", p.keyFile, err.Error())
	case hasBlock(key, "ENCRYPTED PRIVATE KEY") || strings.Contains(string(key), "Proc-Type: 4,ENCRYPTED"):
		found.add("client-key", p.keyFile, "want a key that no passphrase protects")
	case !hasBlock(key, "PRIVATE KEY"):
		found.add("client-key", p.keyFile, "want a PEM file with a private key")
	}
	if len(found.list) > before {
		return tls.Certificate{}, false
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		// The library's words may go into what it could not read; that they do not fit is all that can be said.
		found.add("client-key", p.keyFile, "want the key of the certificate in "+p.certFile+"; these two cannot be used together")
		return tls.Certificate{}, false
	}
	return pair, true
}

// hasBlock tells whether a PEM file has a block whose type ends in a word.
func hasBlock(text []byte, kind string) bool {
	for {
		var b *pem.Block
		if b, text = pem.Decode(text); b == nil {
			return false
		}
		if strings.HasSuffix(b.Type, kind) {
			return true
		}
	}
}
