/* The files of the page of `dray serve`. The compiler embeds them, and compiles this file again if one of them changes. */

#include "page.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t about_js[] = {
#embed "../DrayPage/Page/about.js"
};
static const uint8_t actions_js[] = {
#embed "../DrayPage/Page/actions.js"
};
static const uint8_t add_js[] = {
#embed "../DrayPage/Page/add.js"
};
static const uint8_t api_js[] = {
#embed "../DrayPage/Page/api.js"
};
static const uint8_t arrange_js[] = {
#embed "../DrayPage/Page/arrange.js"
};
static const uint8_t dom_js[] = {
#embed "../DrayPage/Page/dom.js"
};
static const uint8_t drag_js[] = {
#embed "../DrayPage/Page/drag.js"
};
static const uint8_t facts_js[] = {
#embed "../DrayPage/Page/facts.js"
};
static const uint8_t feeds_js[] = {
#embed "../DrayPage/Page/feeds.js"
};
static const uint8_t format_js[] = {
#embed "../DrayPage/Page/format.js"
};
static const uint8_t graph_js[] = {
#embed "../DrayPage/Page/graph.js"
};
static const uint8_t history_js[] = {
#embed "../DrayPage/Page/history.js"
};
static const uint8_t hub_js[] = {
#embed "../DrayPage/Page/hub.js"
};
static const uint8_t icon_svg[] = {
#embed "../DrayPage/Page/Look/icon.svg"
};
static const uint8_t icon192_png[] = {
#embed "../DrayPage/Page/Look/icon192.png"
};
static const uint8_t icon512_png[] = {
#embed "../DrayPage/Page/Look/icon512.png"
};
static const uint8_t index_html[] = {
#embed "../DrayPage/Page/Look/index.html"
};
static const uint8_t jobpage_js[] = {
#embed "../DrayPage/Page/jobpage.js"
};
static const uint8_t jobsview_js[] = {
#embed "../DrayPage/Page/jobsview.js"
};
static const uint8_t labels_js[] = {
#embed "../DrayPage/Page/labels.js"
};
static const uint8_t layout_css[] = {
#embed "../DrayPage/Page/Look/layout.css"
};
static const uint8_t limits_js[] = {
#embed "../DrayPage/Page/limits.js"
};
static const uint8_t list_css[] = {
#embed "../DrayPage/Page/Look/list.css"
};
static const uint8_t list_js[] = {
#embed "../DrayPage/Page/list.js"
};
static const uint8_t listinput_js[] = {
#embed "../DrayPage/Page/listinput.js"
};
static const uint8_t live_js[] = {
#embed "../DrayPage/Page/live.js"
};
static const uint8_t login_js[] = {
#embed "../DrayPage/Page/login.js"
};
static const uint8_t main_js[] = {
#embed "../DrayPage/Page/main.js"
};
static const uint8_t manifest_webmanifest[] = {
#embed "../DrayPage/Page/Look/manifest.webmanifest"
};
static const uint8_t menu_js[] = {
#embed "../DrayPage/Page/menu.js"
};
static const uint8_t messages_js[] = {
#embed "../DrayPage/Page/messages.js"
};
static const uint8_t namedqueues_js[] = {
#embed "../DrayPage/Page/namedqueues.js"
};
static const uint8_t names_js[] = {
#embed "../DrayPage/Page/names.js"
};
static const uint8_t notify_js[] = {
#embed "../DrayPage/Page/notify.js"
};
static const uint8_t queue_js[] = {
#embed "../DrayPage/Page/queue.js"
};
static const uint8_t remedy_js[] = {
#embed "../DrayPage/Page/remedy.js"
};
static const uint8_t row_js[] = {
#embed "../DrayPage/Page/row.js"
};
static const uint8_t shell_js[] = {
#embed "../DrayPage/Page/shell.js"
};
static const uint8_t slow_js[] = {
#embed "../DrayPage/Page/slow.js"
};
static const uint8_t sources_js[] = {
#embed "../DrayPage/Page/sources.js"
};
static const uint8_t stream_js[] = {
#embed "../DrayPage/Page/stream.js"
};
static const uint8_t strip_js[] = {
#embed "../DrayPage/Page/strip.js"
};
static const uint8_t theme_css[] = {
#embed "../DrayPage/Page/Look/theme.css"
};
static const uint8_t timetable_js[] = {
#embed "../DrayPage/Page/timetable.js"
};
static const uint8_t total_js[] = {
#embed "../DrayPage/Page/total.js"
};
static const uint8_t types_js[] = {
#embed "../DrayPage/Page/types.js"
};
static const uint8_t views_css[] = {
#embed "../DrayPage/Page/Look/views.css"
};
static const uint8_t week_js[] = {
#embed "../DrayPage/Page/week.js"
};
static const uint8_t worker_js[] = {
#embed "../DrayPage/Page/worker.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct dray_page_file files[] = {
  FILE("about.js", about_js),
  FILE("actions.js", actions_js),
  FILE("add.js", add_js),
  FILE("api.js", api_js),
  FILE("arrange.js", arrange_js),
  FILE("dom.js", dom_js),
  FILE("drag.js", drag_js),
  FILE("facts.js", facts_js),
  FILE("feeds.js", feeds_js),
  FILE("format.js", format_js),
  FILE("graph.js", graph_js),
  FILE("history.js", history_js),
  FILE("hub.js", hub_js),
  FILE("icon.svg", icon_svg),
  FILE("icon192.png", icon192_png),
  FILE("icon512.png", icon512_png),
  FILE("index.html", index_html),
  FILE("jobpage.js", jobpage_js),
  FILE("jobsview.js", jobsview_js),
  FILE("labels.js", labels_js),
  FILE("layout.css", layout_css),
  FILE("limits.js", limits_js),
  FILE("list.css", list_css),
  FILE("list.js", list_js),
  FILE("listinput.js", listinput_js),
  FILE("live.js", live_js),
  FILE("login.js", login_js),
  FILE("main.js", main_js),
  FILE("manifest.webmanifest", manifest_webmanifest),
  FILE("menu.js", menu_js),
  FILE("messages.js", messages_js),
  FILE("namedqueues.js", namedqueues_js),
  FILE("names.js", names_js),
  FILE("notify.js", notify_js),
  FILE("queue.js", queue_js),
  FILE("remedy.js", remedy_js),
  FILE("row.js", row_js),
  FILE("shell.js", shell_js),
  FILE("slow.js", slow_js),
  FILE("sources.js", sources_js),
  FILE("stream.js", stream_js),
  FILE("strip.js", strip_js),
  FILE("theme.css", theme_css),
  FILE("timetable.js", timetable_js),
  FILE("total.js", total_js),
  FILE("types.js", types_js),
  FILE("views.css", views_css),
  FILE("week.js", week_js),
  FILE("worker.js", worker_js),
};

const struct dray_page_file *dray_page_files(size_t *count) {
  *count = sizeof files / sizeof files[0];
  return files;
}
