package corfu.transport.tcp;

import corfu.world.Loop;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** The one thread of an event loop group as a {@link Loop}. */
final class EventLoopLoop implements Loop {

  /** The longest time for which tasks that submit further tasks may keep a closing loop alive. */
  private static final long LONGEST_END_SECONDS = 5;

  private final MultiThreadIoEventLoopGroup group;
  private final EventLoop eventLoop;

  EventLoopLoop(String name) {
    this.group = Sockets.loop(name);
    this.eventLoop = group.next();
  }

  MultiThreadIoEventLoopGroup group() {
    return group;
  }

  EventLoop eventLoop() {
    return eventLoop;
  }

  @Override
  public void execute(Runnable task) {
    tryExecute(task);
  }

  /** Submits a task. Returns false if the loop is closed and drops it. */
  boolean tryExecute(Runnable task) {
    try {
      eventLoop.execute(task);
      return true;
    } catch (RejectedExecutionException closed) {
      return false;
    }
  }

  @Override
  public boolean isInside() {
    return eventLoop.inEventLoop();
  }

  @Override
  public void close() {
    Future<?> ended = group.shutdownGracefully(0, LONGEST_END_SECONDS, TimeUnit.SECONDS);
    if (!isInside()) {
      ended.awaitUninterruptibly();
    }
  }
}
