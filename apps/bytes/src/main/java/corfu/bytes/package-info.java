/**
 * Byte arrays over streams, of which every version stays (Silver, dissertation, section 6.2.1).
 *
 * <p>Enter at {@link BytesStore}, which opens arrays. {@link VersionedBytes} changes an array, and
 * returns its versions as {@link BytesView}s. Each change is an entry of the array's stream, in the
 * format of {@code RecordCodec}. A client plays the entries, and keeps a map of extents for each
 * version: which bytes are in which part of which entry. The bytes stay in the log.
 */
@NullMarked
package corfu.bytes;

import org.jspecify.annotations.NullMarked;
