package corfu.protocol.wire;

import corfu.protocol.message.Message;

/**
 * A decoded frame.
 *
 * @param requestId the client's number of its request, which the reply repeats
 * @param version the schema version of the frame
 * @param message the message in the frame
 */
public record Frame(long requestId, int version, Message message) {}
