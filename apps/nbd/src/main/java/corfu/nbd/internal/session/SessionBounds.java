package corfu.nbd.internal.session;

/**
 * Bounds of one connection.
 *
 * @param maxRequests the number of requests without a reply that the client has received
 * @param maxBytes the bytes of their data
 */
public record SessionBounds(int maxRequests, long maxBytes) {}
