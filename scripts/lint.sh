#!/bin/bash
# Checks the layout of the Swift code and the rules of .swift-format. In the modules that other programs use, each public declaration has a
# comment, too.
set -euo pipefail
cd "$(dirname "$0")/.."

lint=("${SWIFT:-swift}" format lint --strict --recursive --parallel --configuration)
"${lint[@]}" .swift-format Package.swift Sources Tests Examples
"${lint[@]}" "$(sed '/AllPublicDeclarationsHaveDocumentation/s/false/true/' .swift-format)" Sources/Curl Sources/DrayCore Sources/DrayKit
