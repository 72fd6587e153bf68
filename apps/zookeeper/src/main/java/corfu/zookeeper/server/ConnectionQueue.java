package corfu.zookeeper.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.zookeeper.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a connection that have no reply yet, in the order in which they came. A read
 * waits for the requests before it; a change waits until its command is applied. So a client sees
 * its own changes, and its replies come in order.
 *
 * <p>Reads are executed under the tree's read lock, and changes under its write lock. Therefore no
 * read is being executed when {@link #applied} runs. Thread-safe.
 */
final class ConnectionQueue {

  /** A request and the way to its reply. */
  private static final class Item {
    private final Request request;
    private final Runnable reply;
    private boolean isReady;

    private Item(Request request, Runnable reply, boolean isReady) {
      this.request = request;
      this.reply = reply;
      this.isReady = isReady;
    }
  }

  private final Supplier<Lock> readLock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Item> items = new ArrayDeque<>();
  private boolean isReplying;
  private boolean isClosed;

  /**
   * Creates an empty queue.
   *
   * @param readLock returns the read lock of the present tree
   */
  ConnectionQueue(Supplier<Lock> readLock) {
    this.readLock = readLock;
  }

  /**
   * Adds a request that needs nothing but those before it.
   *
   * @return false if the connection is closed
   */
  boolean addRead(Request request, Runnable reply) {
    boolean isAdded = add(new Item(request, reply, true));
    if (isAdded) {
      replyReady();
    }
    return isAdded;
  }

  /**
   * Adds a request that waits for {@link #ready} or {@link #applied}.
   *
   * @return false if the connection is closed
   */
  boolean addWaiting(Request request, Runnable reply) {
    return add(new Item(request, reply, false));
  }

  private boolean add(Item item) {
    lock.lock();
    try {
      if (!isClosed) {
        items.add(item);
      }
      return !isClosed;
    } finally {
      lock.unlock();
    }
  }

  /** The request needs nothing more but those before it. */
  void ready(Request request) {
    lock.lock();
    try {
      items.stream().filter(item -> item.request == request).forEach(item -> item.isReady = true);
    } finally {
      lock.unlock();
    }
    replyReady();
  }

  /** Replies to requests from the head of the queue, until one must wait. */
  private void replyReady() {
    Lock tree = readLock.get();
    tree.lock();
    try {
      lock.lock();
      try {
        if (isReplying) {
          return; // that thread looks again before it leaves
        }
        isReplying = true;
      } finally {
        lock.unlock();
      }
      replyWhileReady();
    } finally {
      tree.unlock();
    }
  }

  private void replyWhileReady() {
    while (true) {
      Item head;
      lock.lock();
      try {
        head = items.peek();
        if (head == null || !head.isReady) {
          isReplying = false;
          return;
        }
      } finally {
        lock.unlock();
      }
      head.reply.run();
      lock.lock();
      try {
        items.poll();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Replies to a request whose command is applied now, under the tree's write lock. First replies
   * to those before it: whatever they waited for is applied, because it has a lower place in the
   * log. Then replies to those behind it that are ready.
   */
  void applied(Request request, Runnable reply) {
    Item item = poll(request);
    while (item != null && item.request != request) {
      item.reply.run();
      item = poll(request);
    }
    reply.run();
    replyWhileReady();
  }

  /** Takes the first request, if this one is in the queue. */
  private @Nullable Item poll(Request request) {
    lock.lock();
    try {
      return items.stream().anyMatch(item -> item.request == request) ? items.poll() : null;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the requests that get no reply any more. */
  List<Request> close() {
    lock.lock();
    try {
      isClosed = true;
      List<Request> left = new ArrayList<>();
      items.forEach(item -> left.add(item.request));
      items.clear();
      return left;
    } finally {
      lock.unlock();
    }
  }
}
