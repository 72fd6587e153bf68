package org.apache.zookeeper.server;

import io.netty.buffer.ByteBuf;
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

  private static final AttributeKey<Deferred> DEFERRED =
      AttributeKey.valueOf(BoundedNettyConnectionFactory.class, "deferred");

  /**
   * Creates a factory that listens nowhere yet.
   *
   * @param maxUnreadBytes no further requests are handled while the unread replies have more bytes
   * @param closeUnreadBytes a client that leaves more bytes unread loses its connection
   */
  public BoundedNettyConnectionFactory(int maxUnreadBytes, long closeUnreadBytes) {
    channelHandler = new BoundedHandler(maxUnreadBytes, closeUnreadBytes);
  }

  /** The replies that a request's handling has left to a later task. Used by the event loop. */
  private static final class Deferred {
    private boolean isHandling;
    private long bytes;
  }

  @Sharable
  private final class BoundedHandler extends CnxnChannelHandler {

    private final WriteBufferWaterMark marks;
    private final int maxUnreadBytes;
    private final long closeUnreadBytes;

    private BoundedHandler(int maxUnreadBytes, long closeUnreadBytes) {
      this.marks = new WriteBufferWaterMark(maxUnreadBytes / 2, maxUnreadBytes);
      this.maxUnreadBytes = maxUnreadBytes;
      this.closeUnreadBytes = closeUnreadBytes;
    }

    private static @Nullable NettyServerCnxn connection(ChannelHandlerContext context) {
      Attribute<NettyServerCnxn> attribute = context.channel().attr(CONNECTION);
      return attribute.get();
    }

    private static Deferred deferred(ChannelHandlerContext context) {
      Attribute<Deferred> attribute = context.channel().attr(DEFERRED);
      Deferred present = attribute.get();
      if (present == null) {
        present = new Deferred();
        attribute.set(present);
      }
      return present;
    }

    private boolean hasRoom(ChannelHandlerContext context) {
      return context.channel().isWritable() && deferred(context).bytes <= maxUnreadBytes;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
      context.channel().config().setWriteBufferWaterMark(marks);
      super.channelActive(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
      Deferred deferred = deferred(context);
      deferred.isHandling = true;
      try {
        super.channelRead(context, message);
      } finally {
        deferred.isHandling = false;
      }
    }

    /**
     * Replies by other threads arrive as tasks of the event loop. A reply to a request that is
     * handled here must not overtake them, so it becomes a task, too.
     */
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
        throws Exception {
      Deferred deferred = deferred(context);
      if (!deferred.isHandling) {
        writeNow(context, message, promise);
        return;
      }
      int bytes = message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
      deferred.bytes += bytes;
      NettyServerCnxn connection = connection(context);
      if (connection != null && deferred.bytes > maxUnreadBytes) {
        connection.disableRecv(false);
      }
      context.executor().execute(() -> writeLater(context, message, promise, bytes));
    }

    private void writeLater(
        ChannelHandlerContext context, Object message, ChannelPromise promise, int bytes) {
      Deferred deferred = deferred(context);
      deferred.bytes -= bytes;
      try {
        writeNow(context, message, promise);
        context.flush();
      } catch (Exception failure) {
        promise.tryFailure(failure);
      }
      NettyServerCnxn connection = connection(context);
      if (connection != null && deferred.bytes == 0 && context.channel().isWritable()) {
        connection.enableRecv();
      }
    }

    private void writeNow(ChannelHandlerContext context, Object message, ChannelPromise promise)
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
      } else if (hasRoom(context)) {
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
      Deferred deferred = deferred(context);
      deferred.isHandling = true;
      try {
        super.userEventTriggered(context, ReadEvent.ENABLE);
      } catch (Exception failure) {
        connection.close(DisconnectReason.CHANNEL_CLOSED_EXCEPTION);
      } finally {
        deferred.isHandling = false;
      }
    }
  }
}
