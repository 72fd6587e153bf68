/**
 * Floods of failing TLS handshakes, and the latency of other clients meanwhile. Enter at {@link
 * corfu.bench.handshake.HandshakeFloodBenchmark}.
 */
@NullMarked
package corfu.bench.handshake;

import org.jspecify.annotations.NullMarked;
