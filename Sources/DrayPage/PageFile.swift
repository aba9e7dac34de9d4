// The files of the page of `dray serve`. The package manager embeds them in the program (Package.swift):
// `PackageResources` has the bytes of each. They are a separate module because they take most of a minute to compile.

/// A file of the page.
public struct PageFile: Sendable {
  /// The path of its URL.
  public let path: String
  /// The media type.
  public let type: String
  /// The content.
  public let bytes: [UInt8]

  private init(_ name: String, _ bytes: [UInt8]) {
    path = name == "index.html" ? "/" : "/page/" + name
    type = PageFile.types.first { name.hasSuffix($0.key) }?.value ?? "application/octet-stream"
    self.bytes = bytes
  }

  private static let types = [
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml", ".png": "image/png", ".webmanifest": "application/manifest+json",
  ]

  /// All files of the page.
  public static let all = [
    PageFile("about.js", PackageResources.about_js),
    PageFile("actions.js", PackageResources.actions_js),
    PageFile("add.js", PackageResources.add_js),
    PageFile("api.js", PackageResources.api_js),
    PageFile("arrange.js", PackageResources.arrange_js),
    PageFile("dom.js", PackageResources.dom_js),
    PageFile("drag.js", PackageResources.drag_js),
    PageFile("facts.js", PackageResources.facts_js),
    PageFile("feeds.js", PackageResources.feeds_js),
    PageFile("format.js", PackageResources.format_js),
    PageFile("graph.js", PackageResources.graph_js),
    PageFile("history.js", PackageResources.history_js),
    PageFile("hub.js", PackageResources.hub_js),
    PageFile("icon.svg", PackageResources.icon_svg),
    PageFile("icon192.png", PackageResources.icon192_png),
    PageFile("icon512.png", PackageResources.icon512_png),
    PageFile("index.html", PackageResources.index_html),
    PageFile("jobpage.js", PackageResources.jobpage_js),
    PageFile("jobsview.js", PackageResources.jobsview_js),
    PageFile("labels.js", PackageResources.labels_js),
    PageFile("layout.css", PackageResources.layout_css),
    PageFile("limits.js", PackageResources.limits_js),
    PageFile("list.css", PackageResources.list_css),
    PageFile("list.js", PackageResources.list_js),
    PageFile("listinput.js", PackageResources.listinput_js),
    PageFile("live.js", PackageResources.live_js),
    PageFile("login.js", PackageResources.login_js),
    PageFile("main.js", PackageResources.main_js),
    PageFile("manifest.webmanifest", PackageResources.manifest_webmanifest),
    PageFile("menu.js", PackageResources.menu_js),
    PageFile("messages.js", PackageResources.messages_js),
    PageFile("namedqueues.js", PackageResources.namedqueues_js),
    PageFile("names.js", PackageResources.names_js),
    PageFile("notify.js", PackageResources.notify_js),
    PageFile("queue.js", PackageResources.queue_js),
    PageFile("remedy.js", PackageResources.remedy_js),
    PageFile("row.js", PackageResources.row_js),
    PageFile("shell.js", PackageResources.shell_js),
    PageFile("slow.js", PackageResources.slow_js),
    PageFile("sources.js", PackageResources.sources_js),
    PageFile("stream.js", PackageResources.stream_js),
    PageFile("strip.js", PackageResources.strip_js),
    PageFile("theme.css", PackageResources.theme_css),
    PageFile("timetable.js", PackageResources.timetable_js),
    PageFile("total.js", PackageResources.total_js),
    PageFile("types.js", PackageResources.types_js),
    PageFile("views.css", PackageResources.views_css),
    PageFile("week.js", PackageResources.week_js),
    PageFile("worker.js", PackageResources.worker_js),
  ]
}
