// Feeds in the shapes of real ones, small.

enum FeedSamples {
  static let podcast = """
    <?xml version="1.0" encoding="UTF-8"?>
    <?xml-stylesheet type="text/xsl" href="/feed.xsl"?>
    <!-- made by a podcast host -->
    <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
      xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom">
      <channel>
        <title>Kernel &amp; Shell</title>
        <atom:link href="https://pod.example/feed.xml" rel="self" type="application/rss+xml"/>
        <itunes:image href="https://pod.example/cover.jpg"/>
        <item>
          <title><![CDATA[Two: <pipes> & files]]></title>
          <guid isPermaLink="false">ep-2</guid>
          <pubDate>Tue, 03 Feb 2026 06:00:00 +0100</pubDate>
          <content:encoded><![CDATA[<!DOCTYPE html><p>Notes</p>]]></content:encoded>
          <enclosure url="https://cdn.pod.example/2.mp3?token=abc&amp;x=1" length="0" type="audio/mpeg"/>
        </item>
        <item>
          <title>One</title>
          <guid isPermaLink="false">ep-1</guid>
          <pubDate>Tue, 27 Jan 26 06:00 EST</pubDate>
          <enclosure url="audio/1.mp3" length="12345" type="audio/mpeg"/>
        </item>
        <item>
          <title>Three</title>
          <guid isPermaLink="false">ep-3</guid>
          <pubDate>10 February 2026 06:00:00 GMT</pubDate>
          <enclosure url="https://cdn.pod.example/3.mp3" length="lies" type="audio/mpeg"/>
        </item>
        <item><title>Only words</title><guid>w</guid></item>
      </channel>
    </rss>
    """

  static let video = """
    <?xml version="1.0" encoding="UTF-8"?>
    <feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/"
      xmlns="http://www.w3.org/2005/Atom">
      <title>Videos</title>
      <entry>
        <id>yt:video:abc</id><title>A video</title><published>2026-01-01T10:00:00+00:00</published>
        <media:group>
          <media:content url="https://www.video.example/v/abc?version=3" type="application/x-shockwave-flash"/>
          <media:thumbnail url="https://i.video.example/abc.jpg" width="480" height="360"/>
        </media:group>
      </entry>
      <entry>
        <id>yt:video:def</id><title>Another</title><published>2026-01-02T10:00:00Z</published>
        <media:group>
          <media:content url="https://v.example/def-low.mp4" bitrate="300" type="video/mp4"/>
          <media:content url="https://v.example/def-high.mp4" bitrate="3000" type="video/mp4"/>
          <media:content url="https://v.example/def.jpg" medium="image" fileSize="99999999"/>
        </media:group>
      </entry>
    </feed>
    """

  static let releases = """
    <?xml version="1.0" encoding="UTF-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-US" xml:base="https://code.example/">
      <id>tag:code.example,2008:https://code.example/tool/releases</id>
      <title>Release notes from tool</title>
      <entry>
        <id>tag:code.example,2008:Repository/1/v1.0</id>
        <updated>2026-03-01T00:00:00Z</updated>
        <link rel="alternate" type="text/html" href="/tool/releases/tag/v1.0"/>
        <link rel="enclosure" href="/tool/v1.0.tar.gz" length="100" type="application/gzip"/>
        <link rel="enclosure" href="/tool/v1.0.zip" type="application/zip"/>
        <title>v1.0</title>
      </entry>
    </feed>
    """

  static let rdf = """
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#">
      <channel rdf:about="https://old.example/"><title>Old</title></channel>
      <item rdf:about="https://old.example/1"><title>First</title><dc:date>2005-01-02</dc:date>
        <enc:enclosure rdf:resource="https://old.example/1.ogg" enc:type="audio/ogg" enc:length="7"/></item>
    </rdf:RDF>
    """

  static let bomb = """
    <?xml version="1.0"?>
    <!DOCTYPE lolz [
      <!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
      <!ENTITY lol3 "&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;">
    ]>
    <rss version="2.0"><channel><title>&lol3;</title></channel></rss>
    """

  static let page = """
    <!DOCTYPE html>
    <html><head><title>A blog</title>
    <link rel="stylesheet" href="/s.css">
    <link href='/feed.xml' type="application/rss+xml" rel="alternate" title="RSS" />
    </head><body><p>Hello</body></html>
    """
}
