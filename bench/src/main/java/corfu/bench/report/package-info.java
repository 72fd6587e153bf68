/**
 * All benchmarks, one after the other, and the document of their results.
 *
 * <p>{@link corfu.bench.report.Suite} runs them as commands and keeps their output. {@link
 * corfu.bench.report.Document} writes tables and pictures between the markers of its pages.
 */
@NullMarked
package corfu.bench.report;

import org.jspecify.annotations.NullMarked;
