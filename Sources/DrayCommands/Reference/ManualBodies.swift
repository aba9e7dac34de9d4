// SENDING of dray-get(1).

enum ManualBodies {
  static let text = """
    A body is stored with its job before anything is sent, in a file of its own in the state directory, and is removed \
    with the job or once the job is complete. So its length is always known and sent, a pipe may be used, and a job with a \
    body runs from the queue like any other, whatever happens to the files that it was made from. Memory use does not grow \
    with its size.

    = `--data`, `--data-binary`, `--data-raw`, `--data-urlencode`
    A form, `application/x-www-form-urlencoded`, with POST. The pieces are joined with `&`: first those of `--data`, then \
    of `--data-raw`, `--data-binary` and `--data-urlencode`. `-G` puts them into the query instead.

    = `-F`, `--form-string`
    `multipart/form-data`. In the text of a part only `;type=`, `;filename=` and `;headers=` have a meaning; anything else \
    after a semicolon is text, or a parameter of the `;type=` before it: `;type=text/html;charset=utf-8`. A name that \
    contains a semicolon is written in quotes. The type of a file is guessed from its extension. Quotes and line breaks in \
    names are sent as `%22`, `%0D` and `%0A`, as browsers do.

    = `--json-body`, `--plist-body`
    Checked for syntax before anything is stored, and sent unchanged.

    = `-T`
    A file with PUT. Its name is added to a URL that ends with `/` and has no query. `-X` names any other method; \
    `-H 'Content-Type: TYPE'` sets the type of the body.

    The body of the answer is the file of the job. Any status from 200 to 299 is a success. An answer without a body \
    (204, 205, or a length of 0) is not a file: the job is complete, its `target` is null, and its `note` has the status. \
    The same holds for the answers to PUT (`-T`), PATCH and DELETE, unless `-o` gives them a name. \
    If the server chooses the name and that is taken, a number is added, because the answer cannot be requested again.

    After 307 and 308 the body is sent again, also to another host; user names, passwords, cookies and fields of `-H` \
    are not. After 301, 302 and 303 a POST becomes a GET without a body, unless `--post301`, `--post302` or `--post303` \
    is given.

    A request other than GET is never repeated automatically, in parts or from another runner. One that could not be sent \
    at all is retried as usual. One that was sent but not answered, because the network, the run or the machine failed, is \
    `interrupted`: it may have taken effect, and `dray run` does not start it. `dray resume ID` sends it again, \
    `dray remove ID` removes it. One that was answered with an error has failed; `dray retry ID` sends it again. Repeating \
    the command makes another job.
    """
}
