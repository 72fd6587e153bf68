package corfu.protocol.wire;

import corfu.protocol.message.Message;

/**
 * A decoded frame.
 *
 * @param requestId the number that the client gave its request, which its reply repeats
 * @param version the version of the schema that it was written in
 */
public record Frame(long requestId, int version, Message message) {}
