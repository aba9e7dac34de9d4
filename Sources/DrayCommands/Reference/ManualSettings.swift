// The section of the manual page about what jobs keep of their options.

internal import DrayKit

enum ManualSettings {
  static let text = """
    `dray set` and `dray edit` change the settings of a job, and `dray export` writes them. They have the long names of \
    options:

    \(names(of: Setting.typed))

    `after` and `start-at` apply until the job has started. An option that takes no value is set to `yes` or `no`. `proxy=off` \
    disables the proxy; `start-at` may be `@SECONDS` since 1970. Settings that come from documents are only exported: \(names(of: Setting.all.filter { !$0.isTyped })).

    A line of `dray export` has more keys, which `dray import` uses and lists ignore: `id` and `waits-for`, numbers of jobs in \
    the store that it comes from; `state`; and `uuid` and `checkpoint`, the name of the part file and what of it is known to \
    be on disk. Jobs that send data are left out, because a list cannot contain bodies.

    A list that `add` or `get` reads may come from anywhere, so it cannot set \(names(of: Setting.all.filter { !$0.isForLists })), and \
    `@FILE` does not read a file in it. `dray import` accepts both: give it only what you have written yourself.
    """

  private static func names(of settings: [Setting]) -> String {
    settings.map { "`\($0.name)`" }.joined(separator: ", ")
  }
}
