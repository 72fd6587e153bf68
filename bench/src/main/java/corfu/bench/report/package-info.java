/**
 * All benchmarks, one behind the other, and the document that shows what they gave. Enter at {@link
 * corfu.bench.report.Suite}, which runs them as commands and keeps what they print, and {@link
 * corfu.bench.report.Document}, which puts it between the markers of a page.
 */
@NullMarked
package corfu.bench.report;

import org.jspecify.annotations.NullMarked;
