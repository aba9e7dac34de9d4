# The tasks of dray's developers and packagers. `make help` lists them; the longer ones live in scripts/.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
PROGRAM := .build/release/dray
SWIFT_PLACES := Package.swift Sources Tests Examples

BIN := $(DESTDIR)$(PREFIX)/bin
SHARE := $(DESTDIR)$(PREFIX)/share
UNITS := $(DESTDIR)$(PREFIX)/lib/systemd/user
# Under the name aria2c the program takes aria2's command line. This link is outside PATH; ARIA2C=yes installs another one in bin.
ARIA2C_LINK := $(DESTDIR)$(PREFIX)/lib/dray/aria2c
ARIA2C ?=
# Debian's zsh looks elsewhere for the completions of packages.
ZSH_FUNCTIONS ?= $(PREFIX)/share/zsh/site-functions
PAGES := $(notdir $(wildcard man/dray*.[157]))
# The extension for browsers, which they load from a directory.
EXTENSION := $(filter-out Extension/README.md,$(wildcard Extension/*.*) $(wildcard Extension/icons/*))
DESKTOP_ENTRIES := $(notdir $(wildcard desktop/*.desktop))
ICON_SIZES := 16 32 48 128
INSTALLED := $(BIN)/dray $(foreach page,$(PAGES),$(SHARE)/man/man$(subst .,,$(suffix $(page)))/$(page)) \
	$(SHARE)/bash-completion/completions/dray \
	$(DESTDIR)$(ZSH_FUNCTIONS)/_dray \
	$(SHARE)/fish/vendor_completions.d/dray.fish \
	$(SHARE)/dray/dray.schema.json \
	$(EXTENSION:Extension/%=$(SHARE)/dray/extension/%) \
	$(DESKTOP_ENTRIES:%=$(SHARE)/applications/%) \
	$(SHARE)/icons/hicolor/scalable/apps/dray.svg \
	$(foreach size,$(ICON_SIZES),$(SHARE)/icons/hicolor/$(size)x$(size)/apps/dray.png) \
	$(UNITS)/dray.service \
	$(ARIA2C_LINK)

.DEFAULT_GOAL := build
.PHONY: help setup build demo object-demo fleet-demo test fleet-test portable-test soak s3-test page-test extension-test library-test fuzz format lint generate docs install uninstall bench bench-quick bench-net bench-serve bench-fleet clean \
	deb package-test dist source image image-test

help: ## list these tasks
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'

setup: ## install with apt what building needs and this machine lacks
	@scripts/setup.sh build

build: setup ## build the release program, which needs no Swift at its side: .build/release/dray
	@SWIFT="$(SWIFT)" scripts/build.sh

demo: ## show it: queue real files, kill the runner half-way, resume, compare
	@scripts/demo.sh

object-demo: ## the same straight into a bucket: three files, a kill, continued, verified, compared
	@scripts/object-demo.sh

fleet-demo: $(PROGRAM) ## show it on many machines, as root: one queue in PostgreSQL, three runners in network namespaces; BUCKET=yes writes objects
	@scripts/setup.sh fleet
	@DRAY=$(PROGRAM) scripts/fleet-demo.sh $(if $(filter-out no,$(BUCKET)),--bucket)

test: ## everything that must hold before a commit is shared; .ci/run runs the same
	@scripts/test.sh

fleet-test: ## half an hour of faults of a fleet: 2,000 files, 40 kills of runners, 10 of the database; another seed each time
	@DRAY_FLEET_FILES=2000 DRAY_FLEET_KILLS=40 DRAY_FLEET_RESTARTS=10 DRAY_TEST_LIMIT=7200 scripts/test.sh --filter 'FleetTests|FleetFaultTests'

portable-test: ## build with POSIX calls only (docs/build.md), and run its tests of files, resuming, publishing and crashes
	@scripts/portable-test.sh

soak: ## hours of the same: crashes and power cuts at every call that it is feasible for, 100,000 jobs, 20,000 random episodes; another seed each time
	@DRAY_SOAK=1 DRAY_TEST_LIMIT=28800 scripts/test.sh --filter 'Crash|PowerCut|Soak|LargestFile'

s3-test: ## files into buckets of every S3 server that is installed, with 100 kills on each; DRAY_S3_KILLS=5 is a taste
	@scripts/s3-test.sh

page-test: $(PROGRAM) ## use the page of dray serve in Chromium, in two minutes
	@scripts/setup.sh page
	@PAGE_TIMES=judge scripts/page-test.sh

extension-test: ## use the browser extension in Chromium, in a minute; with the built program, if there is one
	@scripts/setup.sh page
	@scripts/extension-test.sh

library-test: ## build another package with each set of package traits, kill its program, resume; SETS='none Documents' are those
	@scripts/package-use-test.sh $(SETS)

fuzz: ## feed the parsers what nobody would write, 20 s each; FUZZ='Metalink 60' is one target for 60 s
	@scripts/fuzz.sh $(FUZZ)

format: ## lay out the Swift code as .swift-format says
	$(SWIFT) format --in-place --recursive --parallel --configuration .swift-format $(SWIFT_PLACES)

lint: ## check the layout and the rules of .swift-format
	@SWIFT=$(SWIFT) scripts/lint.sh

generate: build ## write completions/ and man/ again from the program
	$(PROGRAM) generate .

docs: ## build the documentation of the modules: .build/docs; DOCS=libraries is that of the library products, without the program
	@scripts/docs.sh $(DOCS)

# Only without a build: `sudo make install` must not rebuild as root.
$(PROGRAM):
	$(MAKE) build

install: $(PROGRAM) ## install program, completions, man pages, schema, extension, desktop entries, icons and systemd user unit below PREFIX (and DESTDIR); ARIA2C=yes: also as aria2c
	install -D -m 755 $(PROGRAM) $(BIN)/dray
	for page in $(PAGES); do install -D -m 644 man/$$page $(SHARE)/man/man$${page##*.}/$$page || exit 1; done
	install -D -m 644 completions/dray.bash $(SHARE)/bash-completion/completions/dray
	install -D -m 644 completions/dray.zsh $(DESTDIR)$(ZSH_FUNCTIONS)/_dray
	install -D -m 644 completions/dray.fish $(SHARE)/fish/vendor_completions.d/dray.fish
	install -D -m 644 docs/wire/dray.schema.json $(SHARE)/dray/dray.schema.json
	for file in $(EXTENSION:Extension/%=%); do install -D -m 644 Extension/$$file $(SHARE)/dray/extension/$$file || exit 1; done
	install -D -m 644 Extension/icons/icon.svg $(SHARE)/icons/hicolor/scalable/apps/dray.svg
	for size in $(ICON_SIZES); do install -D -m 644 Extension/icons/icon$$size.png $(SHARE)/icons/hicolor/$${size}x$${size}/apps/dray.png || exit 1; done
	install -d $(SHARE)/applications
	for entry in $(DESKTOP_ENTRIES); do \
	  sed 's|^Exec=/usr/bin/dray|Exec=$(PREFIX)/bin/dray|' desktop/$$entry >$(SHARE)/applications/$$entry || exit 1; \
	  chmod 644 $(SHARE)/applications/$$entry; \
	done
	install -d $(UNITS)
	sed 's|/usr/bin/dray|$(PREFIX)/bin/dray|' systemd/dray.service >$(UNITS)/dray.service
	chmod 644 $(UNITS)/dray.service
	install -d $(dir $(ARIA2C_LINK))
	ln -sf ../../bin/dray $(ARIA2C_LINK)
	$(if $(filter-out no,$(ARIA2C)),ln -sf dray $(BIN)/aria2c)

uninstall: ## remove what install has put there
	rm -f $(INSTALLED)
	if [ "$$(readlink $(BIN)/aria2c)" = dray ]; then rm -f $(BIN)/aria2c; fi

deb: ## make the Debian package of the built program: .build/packages
	@scripts/deb.sh

package-test: ## install that package in minimal systems and use it there, as root; SUITES='bookworm trixie' are those
	@scripts/package-test.sh $(SUITES)

dist: ## make the tarball for other systems, with install.sh and a list of its parts: .build/packages
	@scripts/dist.sh

source: ## make the tarball for packagers, with all Swift packages in it: .build/packages
	@scripts/source.sh

image: ## make an OCI image of Debian's packages and dray's, as root: .build/packages
	@scripts/image.sh

image-test: ## start that image with crun or runc, as root, and let it fetch from a loopback server
	@scripts/image-test.sh

bench: ## compare with curl, aria2 and others, side by side: half an hour; BENCH='small --rounds 3' is one case
	@scripts/setup.sh bench
	@$(MAKE) build
	Benchmarks/run $(BENCH)

bench-quick: ## the same with smaller files and fewer rounds, in three minutes
	@$(MAKE) bench BENCH="--quick $(BENCH)"

# Does not build, because `sudo make bench-net` must not leave root's files in .build.
bench-net: $(PROGRAM) ## compare with curl, aria2 and wget2 over emulated lines, as root; BENCH='--conditions lossy --rounds 1' is a part
	Benchmarks/net $(BENCH)

bench-serve: $(PROGRAM) ## compare dray serve with aria2c --enable-rpc, in five minutes; BENCH='asking --rounds 1' is a part
	Benchmarks/serve $(BENCH)

bench-fleet: $(PROGRAM) ## measure runners that share a queue in PostgreSQL, in an hour; BENCH='runners --files 2000' is a part
	@scripts/setup.sh fleet
	Benchmarks/fleet $(BENCH)

clean: ## remove what was built
	rm -rf .build Benchmarks/scratch
