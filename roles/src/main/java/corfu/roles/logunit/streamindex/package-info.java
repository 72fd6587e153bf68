/**
 * The entries of streams on a log unit. {@code StreamIndex} finds a stream's record ({@code
 * StreamRecords}) and its entries ({@code Postings}), outside the heap, in {@code Blocks} of a few
 * sizes. This package depends only on the page map.
 */
@NullMarked
package corfu.roles.logunit.streamindex;

import org.jspecify.annotations.NullMarked;
