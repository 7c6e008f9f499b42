# Short names for what the README and CONTRIBUTING describe; the go commands behind them work as well.
.PHONY: run build test race e2e bench demo lint ci

run:
	go run ./cmd/redline

build:
	go build -o redline ./cmd/redline

test:
	go test ./...

race:
	go test -race ./...

e2e:
	go test -tags e2e -count=1 -run '^TestE2E' ./cmd/redline/...

bench:
	go test -run '^$$' -bench . -benchmem ./...

# demo.gif shows the real program against its own server; .demo/record tells what it needs. The picture of a report is taken by chromium.
PYTHON ?= python3
demo: build
	$(PYTHON) .demo/record .demo/demo.tape demo.gif
	$(PYTHON) .demo/record .demo/pictures.tape

lint:
	.ci/run format vet static tidy layout imports words

ci:
	.ci/run
