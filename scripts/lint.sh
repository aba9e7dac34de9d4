#!/bin/bash
# Checks the layout of the Swift code and the rules of .swift-format. In the modules that other programs use, each public declaration has a
# comment, too.
set -euo pipefail
cd "$(dirname "$0")/.."

lint=("${SWIFT:-swift}" format lint --strict --recursive --parallel --configuration)
"${lint[@]}" .swift-format Package.swift Sources Tests Examples
"${lint[@]}" "$(sed '/AllPublicDeclarationsHaveDocumentation/s/false/true/' .swift-format)" Sources/Curl Sources/DrayCore Sources/DrayKit

# What only our modules need is `package`. A new name for other programs raises the number of its module here.
for most in DrayCore:986 DrayKit:256 DrayStore:100; do
  module=${most%:*}
  count=$(grep -rhE '^ *(@[A-Za-z]+ +)*public ' --include='*.swift' "Sources/$module" | grep -vc import)
  [ "$count" -eq "${most#*:}" ] || {
    echo "lint: $module has $count public names, and scripts/lint.sh says ${most#*:}: make them package, or correct the number" >&2
    exit 1
  }
done
