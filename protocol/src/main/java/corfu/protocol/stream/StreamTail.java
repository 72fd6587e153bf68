package corfu.protocol.stream;

import corfu.protocol.StreamId;

/**
 * Where a stream ends.
 *
 * @param end the place of the stream's next entry
 */
public record StreamTail(StreamId stream, StreamPosition end) {}
