// CONFIGURATION and HOOKS of the manual page, in the small notation of Mdoc.body.

internal import DrayKit

enum ManualConfiguration {
  private static let hostKeys: String = {
    let names = HostSettingKey.all.map { "`\($0.name)`" }
    return "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
  }()

  static let text = """
    The configuration is a TOML file, `~/.config/dray/config.toml` unless `--config` or `DRAY_CONFIG` names another; \
    `--no-config` is none. These options may stand anywhere on a command line. `dray config edit` makes the file with all \
    its keys as comments, `dray config show` tells each value in force and where it comes from, and `dray config check` \
    looks at all of it.

    Keys are the long names of options, without dashes. What stands at the top holds for every command that has the \
    option; a section with the name of a command, such as `[get]` or `[cookies.list]`, holds for that command. Values are \
    texts or numbers; flags are true or false; options that may be repeated take an array:

      limit-rate = "500k"
      header = ["Accept-Language: de"]
      dir = "~/Downloads"

      [run]
      max-concurrent-downloads = 8

      [host."*.example.org"]
      user = "ann:PASSWORD"
      limit-rate = "2M"

    A command line goes before the environment, that before a section of a command, and that before the top. Values of \
    options that may be repeated add up. `--no-NAME` takes back what file and environment say of an option: `--no-header`, \
    `--no-quiet`. Files that are named relatively are beside the configuration, and `~/` is the home directory. Options \
    that are about one request or one file, and those that decide what a command prints, cannot be set.

    A section `[host."PATTERN"]` is about requests to hosts. A pattern is a host, `*.NAME` for all below a name (but not \
    that name), or `*`; a scheme before it and a port behind it bind it to those. Where several match, each key is taken \
    from the most specific. Keys are \(hostKeys). They go \
    before what holds for all hosts, and what was typed goes before them. Header fields, credentials and cookies are sent \
    to those hosts only, before and after redirects; over http only if the pattern begins with `http://`. They are looked \
    up at each request and never stored with a job; limits, times and retries are fixed when a job is added.

    A mistake in the file or in a variable stops every command with exit status 2, whether the command would have used the \
    value or not, and is told with file, line and key. So does a file that a value names and that is not there, a file \
    with secrets that others can read, and one that everybody can write. Only `dray config`, `dray help` and `--help`, \
    `--version`, `dray generate` and the shell's completions go on without it; `--no-config` leaves the file alone.
    """

  static let hooks = """
    `--on-complete` and `--on-error` name commands that are run when a job has ended; the latter when it failed or was \
    interrupted by an error, not when somebody stopped it. Given to `get` or `add` they belong to the job, whoever \
    transfers it; given to `run` or set in the configuration they belong to the run, for jobs that have none. The words \
    of a command are split as a shell would, `~/` is the home directory, and no shell runs unless `--hook-shell` asks for \
    it.

    A hook runs in the directory of the target. On its standard input is the job as an object of `dray list --json`. In \
    its environment are `DRAY_JOB_ID`, `DRAY_JOB_UUID`, `DRAY_JOB_URL` (secrets show as `…`), `DRAY_JOB_STATE`, \
    `DRAY_JOB_DIRECTORY`, `DRAY_JOB_TARGET`, `DRAY_JOB_SIZE`, `DRAY_JOB_DIGEST`, `DRAY_JOB_ERROR` and \
    `DRAY_JOB_EXIT_STATUS`, as far as they are known, and `DRAY_HOME`.

    It begins after the end of its job is on disk, once for each ending; a crash of dray in between loses it. Four run at \
    once at most, beside the transfers. The run waits for them at its end; one that takes longer than `--hook-timeout` is \
    ended, and one that still runs five seconds after the run was stopped. Each is a process group of its own, and what it \
    has started ends with it: SIGTERM, and two seconds later SIGKILL. What goes on in the background when a hook has come \
    to its end by itself is left alone; it should send its output elsewhere, as nobody reads it then. The last lines that \
    a hook wrote are told where it failed; that changes neither the job, nor the file, nor the exit status.
    """
}
