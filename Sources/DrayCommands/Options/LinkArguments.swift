// The option that gives an interrupted job a new link.

internal import ArgumentParser

struct LinkArguments: ParsableArguments, Sendable {
  @Flag(
    help: ArgumentHelp(
      "Give the URL to the interrupted job for the same file, as a new link.",
      discussion: """
        It is the job with the same target (--output), or with the same name and, as the server says, the same length and \
        validator. On a terminal, `dray get` asks. What was received is kept if it proves to be the server's. `dray set-url` \
        gives a link to any job.
        """))
  var newLink = false
}
