package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	"redline/bench/client"
	"redline/bench/report"
)

// The variables that other programs read; here they only ever say which host a key belongs to.
const (
	openaiKey    = "OPENAI_API_KEY"
	openaiBase   = "OPENAI_BASE_URL"
	openaiOrigin = "https://api.openai.com:443"
)

// keySize bounds a file with a key or a header: a larger one is neither.
const keySize = 16 << 10

// keyFrom reads the key that --api-key-env or --api-key-file names, or the one of the environment if the target is the host it belongs to.
// The note, if any, says that there is a key which was not sent. Problems never repeat any part of a key.
func keyFrom(ctx context.Context, s *settings, u *url.URL, env lookup, found *problems) (key client.Secret, note string) {
	switch {
	case s.keyEnv != "" && s.keyFile != "":
		found.add("api-key-file", shownPath(s.keyFile), "want one source of the key, not --api-key-env as well")
	case s.sendsKey() != "":
		// The environment's key, if there is one, gives way to what was asked for.
		for _, f := range []struct{ name, value string }{{"api-key-env", s.keyEnv}, {"api-key-file", s.keyFile}} {
			if f.value != "" {
				found.add("header", s.sendsKey(), fmt.Sprintf("want one source of the key, not --%s as well", f.name))
			}
		}
	case s.keyEnv != "":
		text, ok := env(s.keyEnv)
		if !ok || strings.TrimSpace(text) == "" {
			found.add("api-key-env", shownName(s.keyEnv), "want the name of a variable that is set and not empty"+notShown(shownName(s.keyEnv)))
			return key, ""
		}
		return sealed(text, "api-key-env", shownName(s.keyEnv), found), ""
	case s.keyFile != "":
		text, err := readKey(ctx, s.keyFile)
		if err != nil {
			found.add("api-key-file", shownPath(s.keyFile), err.Error()+notShown(shownPath(s.keyFile)))
			return key, ""
		}
		return sealed(text, "api-key-file", shownPath(s.keyFile), found), ""
	case u != nil:
		return environmentKey(u, env, found)
	}
	return key, ""
}

// environmentKey is OPENAI_API_KEY, if the target is what it was made for: the origin of OPENAI_BASE_URL where that is set, else OpenAI's own.
// The scheme is part of it: a key for https never goes out in the clear.
func environmentKey(u *url.URL, env lookup, found *problems) (key client.Secret, note string) {
	text, _ := env(openaiKey)
	if strings.TrimSpace(text) == "" {
		return key, ""
	}
	owner := openaiOrigin
	if base, _ := env(openaiBase); strings.TrimSpace(base) != "" {
		b, err := url.Parse(strings.TrimSpace(base))
		if err != nil || b.Hostname() == "" {
			return key, openaiKey + " is set, but not sent: " + openaiBase + " names no host that it belongs to; name it with --api-key-env " + openaiKey
		}
		owner = originOf(b)
	}
	if originOf(u) != owner {
		return key, fmt.Sprintf("%s is set, but not sent: it belongs to %s; to send it here, say --api-key-env %s", openaiKey, owner, openaiKey)
	}
	return sealed(text, "url", report.ShownURL(u.String()), found), ""
}

// sealed turns a text into a key, if it can be one.
func sealed(text, flag, value string, found *problems) (key client.Secret) {
	text = strings.TrimSpace(text)
	for _, r := range text {
		if r <= ' ' || r > '~' {
			found.add(flag, value, "want a key of one line, without blanks or other characters that no header can hold")
			return key
		}
	}
	return client.NewSecret(text)
}

// readKey reads a key file.
func readKey(ctx context.Context, path string) (string, error) {
	text, err := readSmall(ctx, path, keySize)
	return string(text), err
}

// readSmall reads a file of at most so many bytes. It may be a pipe, as shells make for a command's output, whose writer takes its time or never
// comes: when ctx ends it is not waited for.
func readSmall(ctx context.Context, path string, limit int) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	read := make(chan result, 1)
	go func() {
		text, err := readWhole(path, limit)
		read <- result{text, err}
	}()
	select {
	case r := <-read:
		return r.text, r.err
	case <-ctx.Done():
		return nil, errors.New("want a file that can be read (interrupted)")
	}
}

// readRegular is readSmall for what no command gives: a pipe in its place is refused, since it may never come to an end.
func readRegular(ctx context.Context, path string, limit int) ([]byte, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	return readSmall(ctx, path, limit)
}

// regular is what is wrong with a path at which there is something, and no regular file.
func regular(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return errors.New("want a regular file, not a pipe, a device or a directory")
	}
	return nil
}

// emptyFile is what is wrong with a file in which nothing stands.
const emptyFile = "want a file that is not empty"

func readWhole(path string, limit int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("want a file that can be read (%w)", errors.Unwrap(err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("want a file that can be read (%w)", errors.Unwrap(err))
	case len(text) > limit:
		return nil, fmt.Errorf("want a file of at most %d bytes", limit)
	case len(bytes.TrimSpace(text)) == 0:
		return nil, errors.New(emptyFile)
	}
	return text, nil
}
