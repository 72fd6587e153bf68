/**
 * Requests and replies over TCP, with Netty.
 *
 * <p>A server is a {@link corfu.transport.tcp.TcpServer}: one thread reads all its connections,
 * runs the roles and writes the replies. A client is a {@link corfu.transport.tcp.TcpTransport}:
 * one thread and one connection to each server, which all requests share. {@code FrameAssembler}
 * cuts received bytes into frames, and {@code OutboundBatch} gathers outgoing frames.
 */
@NullMarked
package corfu.transport.tcp;

import org.jspecify.annotations.NullMarked;
