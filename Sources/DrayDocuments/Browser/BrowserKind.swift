// The browsers in which dray's extension can start dray, and where each looks for the manifests of such programs.

internal import DrayCore

/// A browser.
package struct BrowserKind: Sendable, Equatable {
  /// The engine decides the form of the manifest and of extension IDs.
  package enum Family: Sendable {
    case chromium, firefox
  }

  /// An operating system, by which the places differ.
  package enum System: Sendable {
    case linux, macOS

    /// The operating system of this program.
    package static var own: System {
      #if os(macOS)
      .macOS
      #else
      .linux
      #endif
    }
  }

  /// The name in options.
  package var name: String
  /// The name in texts.
  package var title: String
  package var family: Family
  /// The user's data directories of its editions, the usual one first: below the configuration directory, or the home
  /// directory if it begins with a dot.
  var linux: [String]
  /// The same, below `~/Library/Application Support`.
  var macOS: [String]
  /// Its names as a sandboxed application.
  var flatpak: String?
  var snap: String?

  /// All browsers, in the order in which they are shown.
  package static let all = [
    BrowserKind(
      name: "chromium", title: "Chromium", family: .chromium, linux: ["chromium"], macOS: ["Chromium"],
      flatpak: "org.chromium.Chromium", snap: "chromium"),
    BrowserKind(
      name: "chrome", title: "Google Chrome", family: .chromium,
      linux: ["google-chrome", "google-chrome-beta", "google-chrome-unstable"],
      macOS: ["Google/Chrome", "Google/Chrome Beta", "Google/Chrome Dev", "Google/Chrome Canary"],
      flatpak: "com.google.Chrome"),
    BrowserKind(
      name: "brave", title: "Brave", family: .chromium,
      linux: ["BraveSoftware/Brave-Browser", "BraveSoftware/Brave-Browser-Beta"],
      macOS: ["BraveSoftware/Brave-Browser", "BraveSoftware/Brave-Browser-Beta"], flatpak: "com.brave.Browser",
      snap: "brave"),
    BrowserKind(
      name: "edge", title: "Microsoft Edge", family: .chromium,
      linux: ["microsoft-edge", "microsoft-edge-beta", "microsoft-edge-dev"],
      macOS: ["Microsoft Edge", "Microsoft Edge Beta", "Microsoft Edge Dev"], flatpak: "com.microsoft.Edge"),
    BrowserKind(
      name: "vivaldi", title: "Vivaldi", family: .chromium, linux: ["vivaldi", "vivaldi-snapshot"], macOS: ["Vivaldi"],
      flatpak: "com.vivaldi.Vivaldi", snap: "vivaldi"),
    BrowserKind(
      name: "firefox", title: "Firefox", family: .firefox, linux: [".mozilla", "mozilla"], macOS: ["Mozilla"],
      flatpak: "org.mozilla.firefox", snap: "firefox"),
    BrowserKind(
      name: "librewolf", title: "LibreWolf", family: .firefox, linux: [".librewolf"], macOS: ["LibreWolf"],
      flatpak: "io.gitlab.librewolf-community"),
  ]

  /// Returns the data directories of its editions, the usual one first.
  package func dataDirectories(home: String, configuration: String, on system: System = .own) -> [String] {
    switch system {
    case .linux: linux.map { PathText.join($0.hasPrefix(".") ? home : configuration, $0) }
    case .macOS: macOS.map { PathText.join(home, "Library/Application Support/\($0)") }
    }
  }

  /// Returns the directory for manifests below a data directory.
  package func manifestDirectory(in data: String, on system: System = .own) -> String {
    PathText.join(data, family == .firefox && system == .linux ? "native-messaging-hosts" : "NativeMessagingHosts")
  }

  /// Returns the directories that exist if the browser is installed in a sandbox. Such a browser cannot start a program
  /// of the machine.
  package func sandboxes(home: String) -> [(directory: String, kind: String)] {
    [(flatpak.map { ".var/app/\($0)" }, "Flatpak"), (snap.map { "snap/\($0)" }, "snap")].compactMap { place, kind in
      place.map { (PathText.join(home, $0), kind) }
    }
  }
}
