package corfu.protocol.stream;

import corfu.protocol.StreamId;

/**
 * The end of a stream.
 *
 * @param stream the stream
 * @param end the position of the stream's next entry
 */
public record StreamTail(StreamId stream, StreamPosition end) {}
