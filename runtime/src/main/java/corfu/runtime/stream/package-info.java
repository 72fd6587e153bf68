/**
 * Streams: virtual logs over the one log (dissertation, chapter 4).
 *
 * <p>Enter at {@link corfu.runtime.stream.Streams}, which opens {@link
 * corfu.runtime.stream.LogStream}s; a {@link corfu.runtime.stream.StreamReader} plays one, and a
 * {@link corfu.runtime.stream.HeadReader} only the first bytes of each entry. Inside, {@code
 * BackpointerWalk} finds a stream's entries from its end back. {@code StreamRange} finds the
 * entries of a range with the log units' indexes. {@code EntryCache} keeps entries that have been
 * read, for all streams of a client.
 */
@NullMarked
package corfu.runtime.stream;

import org.jspecify.annotations.NullMarked;
