package corfu.nbd.internal.tls;

import corfu.nbd.NbdTls;
import corfu.nbd.internal.session.TlsNeed;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;

/**
 * The TLS of a server. A handler tells the end of its handshake by Netty's event {@code
 * SslHandshakeCompletionEvent}.
 */
public sealed interface TlsProvider {

  /**
   * Reads the files of a configuration.
   *
   * @throws corfu.nbd.NbdServerException if a file is missing or wrong
   */
  static TlsProvider of(NbdTls tls) {
    return switch (tls) {
      case NbdTls.Off off -> new None();
      case NbdTls.Certificates certificates ->
          new ByCertificates(
              need(certificates.requirement()), PemFiles.serverContext(certificates));
      case NbdTls.PreSharedKeys keys ->
          new ByKeys(need(keys.requirement()), PskFile.read(keys.keyFile()));
    };
  }

  private static TlsNeed need(NbdTls.Requirement requirement) {
    return switch (requirement) {
      case OPTIONAL -> TlsNeed.OPTIONAL;
      case REQUIRED -> TlsNeed.REQUIRED;
    };
  }

  /** Returns what a server does with STARTTLS. */
  TlsNeed need();

  /** Returns a handler that encrypts a connection. */
  ChannelHandler newHandler(ByteBufAllocator allocator);

  /** Returns whether a connection has such a handler whose handshake has not ended. */
  default boolean isHandshake(Channel channel) {
    SslHandler certificates = channel.pipeline().get(SslHandler.class);
    PskHandler keys = channel.pipeline().get(PskHandler.class);
    return (certificates != null && !certificates.handshakeFuture().isDone())
        || (keys != null && keys.isHandshake());
  }

  /** No TLS. */
  record None() implements TlsProvider {

    @Override
    public TlsNeed need() {
      return TlsNeed.OFF;
    }

    @Override
    public ChannelHandler newHandler(ByteBufAllocator allocator) {
      throw new IllegalStateException("this server has no TLS");
    }
  }

  /** TLS by the JDK's engine. */
  record ByCertificates(TlsNeed need, SslContext context) implements TlsProvider {

    @Override
    public ChannelHandler newHandler(ByteBufAllocator allocator) {
      return context.newHandler(allocator);
    }
  }

  /** TLS by Bouncy Castle's engine. */
  record ByKeys(TlsNeed need, PskFile keys) implements TlsProvider {

    @Override
    public ChannelHandler newHandler(ByteBufAllocator allocator) {
      return new PskHandler(keys);
    }
  }
}
