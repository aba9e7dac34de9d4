// The list: add a parser of input from outside here.

extension FuzzTarget {
  /// Every target.
  static let all: [FuzzTarget] =
    [
      contentRange, contentLength, httpDate, retryAfter, netrc, ftpReplies, statusRule, challenge, hsts, altSvc,
      mediaType,
      refresh,
      link, offeredDigests, digestLists,
      contentDisposition, contentDispositionRoundTrip, fileName, documentPath, textSafety,
      requestURL, resolution, percentEncoding, hostName, redaction,
      digest, quantity, rateRule, window, startTime, versions, urlPatterns, patterns, commandWords, cookies, profiles,
      pathPatterns, treePaths, indexPages, jsonIndexes, fileListings, webDAVListings, objectListings,
      metalink, feed, feedDate, catalog, programAnswer, json, manifest, lock, configuration, inputList, aria2Control,
      zsyncControl,
      fileLists, packageIndexes, packageNames, packageVersions,
      imageNames, imageManifests, registryAnswers,
      gitHubNames, gitHubReleases, records, gitHubHosts,
      requests, frames, origins,
      calls, queries, methodCalls, apiCalls, apiTargets, browserMessages,
      headParser, board, boardValues, recordText,
      answerDecision, segmentAnswer, validators, ask, retryPolicy, segmentSet, segmentText, segmentPlan,
    ] + columns
}
