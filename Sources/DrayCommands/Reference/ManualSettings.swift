// The section of the manual page about what jobs keep of their options.

internal import DrayKit

enum ManualSettings {
  static let text = """
    What a job was added with can be changed by `dray set` and `dray edit`, and is written by `dray export`, by the long \
    names of options:

    \(names(of: JobSetting.typed))

    `after` and `start-at` hold until the job has started. An option without a value is `yes` or `no`. `proxy=off` uses none; \
    `start-at` may be `@SECONDS` since 1970. What documents say of a file is only exported: \(names(of: JobSetting.all.filter { !$0.isTyped })).

    A line of `dray export` has more, which `dray import` goes by and lists pass over: `id` and `waits-for`, the numbers in \
    the store that it is from; `state`; and `uuid` and `checkpoint`, the name of the part file and what is known to be on \
    disk of it. Jobs that send data are left out, as a list has no bodies.

    A list that `add` or `get` reads may come from anywhere. So it cannot set \(names(of: JobSetting.all.filter { !$0.lists })), and \
    `@FILE` names no file in it. `dray import` takes those, too: give it only what you have written yourself.
    """

  private static func names(of settings: [JobSetting]) -> String {
    settings.map { "`\($0.name)`" }.joined(separator: ", ")
  }
}
