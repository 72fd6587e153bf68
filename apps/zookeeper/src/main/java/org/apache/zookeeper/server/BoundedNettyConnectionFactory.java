package org.apache.zookeeper.server;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.Attribute;
import io.netty.util.AttributeKey;
import java.nio.channels.SelectionKey;
import org.apache.zookeeper.server.NettyServerCnxn.ReadEvent;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper's connections by Netty, with a bound on the replies that a client has not read. Beyond
 * a threshold a connection handles no further requests. Watch events cannot wait, so beyond a
 * larger one it closes.
 */
@NullMarked
public final class BoundedNettyConnectionFactory extends NettyServerCnxnFactory {

  private static final AttributeKey<NettyServerCnxn> CONNECTION =
      AttributeKey.valueOf("NettyServerCnxn");

  /**
   * Creates a factory that listens nowhere yet.
   *
   * @param maxUnreadBytes no further requests are handled while the unread replies have more bytes
   * @param closeUnreadBytes a client that leaves more bytes unread loses its connection
   */
  public BoundedNettyConnectionFactory(int maxUnreadBytes, long closeUnreadBytes) {
    channelHandler = new BoundedHandler(maxUnreadBytes, closeUnreadBytes);
  }

  @Sharable
  private final class BoundedHandler extends CnxnChannelHandler {

    private final WriteBufferWaterMark marks;
    private final long closeUnreadBytes;

    private BoundedHandler(int maxUnreadBytes, long closeUnreadBytes) {
      this.marks = new WriteBufferWaterMark(maxUnreadBytes / 2, maxUnreadBytes);
      this.closeUnreadBytes = closeUnreadBytes;
    }

    private static @Nullable NettyServerCnxn connection(ChannelHandlerContext context) {
      Attribute<NettyServerCnxn> attribute = context.channel().attr(CONNECTION);
      return attribute.get();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
      context.channel().config().setWriteBufferWaterMark(marks);
      super.channelActive(context);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
        throws Exception {
      super.write(context, message, promise);
      NettyServerCnxn connection = connection(context);
      if (connection == null || context.channel().isWritable()) {
        return;
      }
      connection.disableRecv(false);
      if (context.channel().bytesBeforeWritable() > closeUnreadBytes) {
        // This does not wait for the client: the unread replies are dropped.
        var unused = context.channel().close();
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
      NettyServerCnxn connection = connection(context);
      if (connection != null && context.channel().isWritable()) {
        connection.enableRecv();
      }
      super.channelWritabilityChanged(context);
    }

    /**
     * ZooKeeper lets a connection go on after each reply. That may happen in the middle of a
     * request, whose buffer the next request must not overwrite; so it goes on a moment later.
     */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
      if (event != ReadEvent.ENABLE) {
        super.userEventTriggered(context, event);
      } else if (context.channel().isWritable()) {
        context.executor().execute(() -> goOn(context));
      } else {
        NettyServerCnxn connection = connection(context);
        if (connection != null) {
          connection.disableRecv(false);
        }
      }
    }

    private void goOn(ChannelHandlerContext context) {
      NettyServerCnxn connection = connection(context);
      if (connection == null || (connection.getInterestOps() & SelectionKey.OP_READ) == 0) {
        return; // it has closed, or must wait again
      }
      try {
        super.userEventTriggered(context, ReadEvent.ENABLE);
      } catch (Exception failure) {
        connection.close(DisconnectReason.CHANNEL_CLOSED_EXCEPTION);
      }
    }
  }
}
