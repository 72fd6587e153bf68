package corfu.objects.record;

import corfu.protocol.StreamId;

/**
 * There is an object.
 *
 * @param call who says so
 * @param wallTimeMillis when, as that client's machine believed; for people only
 * @param object its stream
 * @param name what it was opened as
 * @param type what its type calls itself
 */
public record Catalogued(
    CallId call, long wallTimeMillis, StreamId object, String name, String type)
    implements ObjectRecord {}
