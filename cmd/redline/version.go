package main

import "runtime/debug"

// version is what this build calls itself: the module's version where it was built as one, else "dev".
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}
