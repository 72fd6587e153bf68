/**
 * Which entries of which streams a log unit holds: {@code StreamIndex} finds a stream's record
 * ({@code StreamRecords}) and its entries ({@code Postings}), off the heap, in {@code Blocks} of a
 * few sizes. Only the page map is below.
 */
@NullMarked
package corfu.roles.logunit.streamindex;

import org.jspecify.annotations.NullMarked;
