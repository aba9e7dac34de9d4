// swift-tools-version: 6.2
// One target for each module, arrows go down only (ARCHITECTURE.md).

import Foundation
import PackageDescription

let environment = ProcessInfo.processInfo.environment

/// The program with POSIX calls only (docs/build.md).
let isPortable = environment["DRAY_PORTABLE"] != nil

/// Settings of all targets. Warnings are errors in the gate only (scripts/test.sh), so that a new warning of a newer compiler
/// breaks no build. The gate tests the release program with its assertions kept.
let strict: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  + (isPortable ? [.define("DRAY_PORTABLE")] : [])
  + (environment["DRAY_WARNINGS"] == "errors" ? [.treatAllWarnings(as: .error)] : [])
  + (environment["DRAY_ASSERTIONS"] == nil
    ? [] : [.unsafeFlags(["-assert-config", "Debug"], .when(configuration: .release))])

/// Only the trait Documents needs it.
let toml: Target.Dependency = .product(name: "TOMLKit", package: "TOMLKit", condition: .when(traits: ["Documents"]))
/// Only the trait Program needs these. A package that uses DrayKit without that trait fetches none of them.
let program: TargetDependencyCondition? = .when(traits: ["Program"])
let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio", condition: program)
let nioHTTP: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio", condition: program)
let nioWebSocket: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio", condition: program)
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio", condition: program)
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: program)

/// The linker that comes with Swift. The compiler's default is gold, which Debian 13 does not install with binutils. scripts/build.sh
/// chooses the linker of the release program. Targets of libraries do not have this setting: an unsafe flag would keep other packages
/// from using them.
let linker: [LinkerSetting] = [
  .unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux], configuration: .debug))
]

/// `make fuzz` builds a program from the files of the gate's property tests.
let isFuzzed = environment["DRAY_FUZZ"] != nil
let fuzzed: [Target.Dependency] = [
  "DrayCommands", "DrayCore", "DrayDocuments", "DrayEngine", "DrayKit", "DrayServer", "DrayStore", "WebServer",
  nio, nioEmbedded, nioHTTP, nioWebSocket,
]
let fuzzing: Target =
  isFuzzed
  ? .executableTarget(
    name: "DrayFuzz", dependencies: fuzzed, path: "Tests/Fuzzing", exclude: ["Gate", "Regressions"],
    swiftSettings: strict, linkerSettings: linker)
  : .testTarget(
    name: "FuzzingTests", dependencies: fuzzed + ["TestSupport"], path: "Tests/Fuzzing",
    exclude: ["Driver", "Regressions"], swiftSettings: strict)

let package = Package(
  name: "dray",
  products: [
    .executable(name: "dray", targets: ["dray"]),
    .library(name: "Curl", targets: ["Curl"]),
    .library(name: "DrayKit", targets: ["DrayKit", "DrayStore"]),
    // Preloaded by end-to-end tests; no part of the program.
    .library(name: "CrashShim", type: .dynamic, targets: ["CrashShim"]),
  ],
  traits: [
    .default(enabledTraits: ["Documents", "ObjectStores", "Postgres", "Program"]),
    .trait(
      name: "Documents",
      description: "Reads TOML and XML: manifests, Metalink, feeds, WebDAV. Needs Expat, and builds C++ (TOMLKit)."),
    .trait(name: "ObjectStores", description: "Writes into buckets of S3. Needs Expat."),
    .trait(name: "Postgres", description: "One queue for many machines, in PostgreSQL."),
    .trait(name: "Program", description: "The dray program and its service. Fetches SwiftNIO and ArgumentParser."),
    .trait(
      name: "ServiceLifecycle",
      description: "DownloadService conforms to Service. Fetches swift-service-lifecycle; not in the default."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CCurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
    ),
    .systemLibrary(
      name: "CExpat",
      pkgConfig: "expat",
      providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]
    ),
    .systemLibrary(
      name: "CIDN2",
      pkgConfig: "libidn2",
      providers: [.apt(["libidn2-dev"]), .brew(["libidn2"])]
    ),
    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),
    // What the C library knows of texts. DrayCore and DrayDocuments have this instead of all of the C library.
    .systemLibrary(name: "CText"),
    // Linux calls that Swift's Glibc does not declare.
    .systemLibrary(name: "CLinux"),
    // CRC-32C and CRC-64/NVME by the processor's own instructions, which Swift does not offer. Headers only, so that
    // DrayCore does not wait until the C files of all packages are compiled.
    .systemLibrary(name: "CChecksum"),
    // The commit that the program is built from. A separate target, so that a new commit rebuilds nothing else.
    .target(name: "CBuild", cSettings: environment["DRAY_COMMIT"].map { [.define("DRAY_COMMIT", to: "\"\($0)\"")] }),
    // System calls, each wrapped once. No policy.
    .target(name: "Posix", dependencies: ["CLinux"], swiftSettings: strict),
    .target(name: "Curl", dependencies: ["CCurl", "Posix"], swiftSettings: strict),
    // Connections, statements and rows of SQLite.
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
    // Connections, statements and rows of PostgreSQL. libpq is found at run time, and not needed to build.
    .target(name: "Postgres", dependencies: ["Posix"], swiftSettings: strict),
    .target(
      name: "DrayCore",
      dependencies: [
        "CChecksum", "CIDN2", "CText", "CZlib",
        .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
      ],
      swiftSettings: strict
    ),
    // Clocks, and queues for blocking calls.
    .target(name: "Threads", dependencies: ["DrayCore", "Posix"], swiftSettings: strict),
    // Documents from outside as values: feeds, listings, Metalink, catalogs, manifests, configuration. No I/O.
    .target(
      name: "DrayDocuments",
      dependencies: [
        "CText", "DrayCore", toml,
        // Answers of object stores are XML, too.
        .target(name: "CExpat", condition: .when(traits: ["Documents", "ObjectStores"])),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "DrayEngine",
      dependencies: [
        "CLinux", "Curl", "DrayCore", "Posix", "Threads", .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "DrayStore",
      dependencies: ["DrayCore", "Posix", "Postgres", "SQLite", "Threads"],
      // Calls start on their caller's thread, which may be allowed to block.
      swiftSettings: strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
    ),
    .target(
      name: "DrayKit",
      dependencies: [
        "DrayCore", "DrayDocuments", "DrayEngine", "DrayStore", "Posix", "SQLite", "Threads",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict
    ),
    // The JSON output of jobs, details, heads, events and documents.
    .target(
      name: "DrayWire", dependencies: ["DrayCore", "DrayDocuments", "DrayKit", "DrayStore"], swiftSettings: strict),
    // The page of `dray serve`, as bytes.
    .target(name: "CPage"),
    .target(name: "DrayPage", dependencies: ["CPage"], exclude: ["Page"], swiftSettings: strict),
    // A server for HTTP and WebSockets on SwiftNIO, with limits on its clients.
    .target(
      name: "WebServer",
      dependencies: [
        "Posix", nio, nioHTTP, nioWebSocket,
        .product(name: "NIOPosix", package: "swift-nio", condition: program),
      ],
      swiftSettings: strict
    ),
    // The service: access control, and the calls of other programs.
    .target(
      name: "DrayServer",
      dependencies: [
        "DrayCore", "DrayDocuments", "DrayKit", "DrayPage", "DrayStore", "DrayWire", "Posix", "Threads", "WebServer",
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict
    ),
    .target(name: "TerminalUI", dependencies: ["DrayCore", "Posix"], swiftSettings: strict),
    .target(
      name: "DrayCommands",
      dependencies: [
        "CBuild", "DrayCore", "DrayDocuments", "DrayKit", "DrayServer", "DrayStore", "DrayWire", "Posix", "TerminalUI",
        "Threads", "WebServer",
        argumentParser,
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "dray", dependencies: ["DrayCommands"], swiftSettings: strict, linkerSettings: linker),

    // The program that the README shows.
    .executableTarget(
      name: "FetchExample", dependencies: ["DrayKit"], path: "Examples/Fetch", swiftSettings: strict,
      linkerSettings: linker),

    // Servers that misbehave on purpose, for tests.
    .target(
      name: "FaultServer", dependencies: [.product(name: "Crypto", package: "swift-crypto")], path: "Tests/FaultServer",
      swiftSettings: strict),
    // A destination in memory, for tests.
    .target(
      name: "MemoryDestination", dependencies: ["DrayCore", "DrayEngine"], path: "Tests/MemoryDestination",
      swiftSettings: strict),
    // Preloaded into a program, kills it at the call that the environment names.
    .target(
      name: "CrashShim", path: "Tests/CrashShim", cSettings: [.define("_GNU_SOURCE")], linkerSettings: linker),

    // Access to the machine for tests, and the seeds of random tests. It carries the linker setting for all tests.
    .target(
      name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict, linkerSettings: linker),

    // The conformance checks for job stores.
    .target(
      name: "StoreTesting", dependencies: ["DrayCore", "DrayStore"], path: "Tests/StoreTesting", swiftSettings: strict),

    // Starts PostgreSQL from Debian.
    .target(
      name: "PostgresServer", dependencies: ["TestSupport"], path: "Tests/PostgresServer", swiftSettings: strict),

    // Checks documents against a JSON Schema.
    .target(name: "JSONSchema", path: "Tests/JSONSchema", swiftSettings: strict),

    .testTarget(name: "SQLiteTests", dependencies: ["Posix", "SQLite"], swiftSettings: strict),
    .testTarget(
      name: "PostgresTests", dependencies: ["Postgres", "PostgresServer", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "PosixTests", dependencies: ["Posix"], swiftSettings: strict),
    .testTarget(name: "ThreadsTests", dependencies: ["DrayCore", "Threads"], swiftSettings: strict),
    .testTarget(name: "CurlTests", dependencies: ["Curl", "FaultServer", "Posix"], swiftSettings: strict),
    .testTarget(
      name: "DrayCoreTests", dependencies: ["CChecksum", "DrayCore", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "DrayDocumentsTests", dependencies: ["DrayDocuments", "DrayCore"], swiftSettings: strict),
    // Tables from the texts of standards, in Tests/Standards.
    .testTarget(
      name: "StandardsTests",
      dependencies: [
        "DrayCore", "DrayDocuments", "DrayEngine", "FaultServer", toml,
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "DrayEngineTests",
      dependencies: [
        "DrayEngine", "DrayCore", "DrayDocuments", "FaultServer", "MemoryDestination", "Posix", "TestSupport",
        "Threads",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "DrayStoreTests",
      dependencies: [
        "DrayStore", "DrayCore", "Posix", "Postgres", "PostgresServer", "SQLite", "StoreTesting", "TestSupport",
        "Threads",
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "DrayKitTests",
      dependencies: [
        "DrayKit", "DrayCore", "DrayDocuments", "DrayEngine", "DrayStore", "FaultServer", "MemoryDestination", "Posix",
        "StoreTesting", "Threads",
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "DrayWireTests", dependencies: ["DrayCore", "DrayKit", "DrayStore", "DrayWire", "JSONSchema"],
      swiftSettings: strict),
    // Clients on plain sockets, and servers for them.
    .target(
      name: "WebTesting", dependencies: ["Posix", "WebServer"], path: "Tests/WebTesting", swiftSettings: strict),
    .testTarget(
      name: "WebServerTests",
      dependencies: [
        "Posix", "TestSupport", "WebServer", "WebTesting", nio, nioEmbedded, nioHTTP, nioWebSocket,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DrayServerTests",
      dependencies: [
        "DrayCore", "DrayDocuments", "DrayKit", "DrayPage", "DrayServer", "DrayStore", "FaultServer", "Posix",
        "Threads", "WebServer", "WebTesting",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(name: "TerminalUITests", dependencies: ["TerminalUI", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "DrayCommandsTests",
      dependencies: [
        "DrayCommands", "DrayCore", "DrayKit", "DrayServer", "DrayStore", "DrayWire", "Posix", "StoreTesting",
        "TerminalUI", "TestSupport", "WebServer",
        argumentParser,
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict
    ),
    fuzzing,
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "FaultServer", "JSONSchema", "Postgres", "PostgresServer", "TestSupport", "dray",
        .product(name: "Crypto", package: "swift-crypto"),
        toml,
      ],
      exclude: [
        "Cases/bin", "Examples/examples.py", "Examples/manifests.py", "Examples/world.py", "Schemes/ftpd.py",
        "Schemes/s3d.py",
        "Serve/activate.py", "Serve/aria2p_client.py",
        "Serve/calls.py", "Serve/origin.py", "Serve/Transcripts", "Serve/vanish.py", "Servers/hub.py", "Servers/lfs.py",
        "Servers/lines.py", "Servers/registry.py",
        "Servers/s3client.py",
        "Servers/s3server.py",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// `make portable-test` runs the tests of the modules that such a build changes, and builds no others.
if isPortable {
  let changed = ["PosixTests", "ThreadsTests", "DrayEngineTests", "DrayStoreTests", "DrayKitTests", "TerminalUITests"]
  package.targets.removeAll { $0.type == .test && $0.name != "EndToEndTests" && !changed.contains($0.name) }
}

// The trait ServiceLifecycle needs a package that is not in the tarball of scripts/source.sh, which ends the file here.
package.dependencies.append(.package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"))
package.targets.first { $0.name == "DrayKit" }?.dependencies.append(
  .product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["ServiceLifecycle"])))
