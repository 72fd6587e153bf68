package corfu.zookeeper.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;
import org.junit.jupiter.api.Test;

class ConnectionQueueTest {

  private final ReentrantReadWriteLock tree = new ReentrantReadWriteLock();
  private final ConnectionQueue queue = new ConnectionQueue(tree::readLock);
  private final List<String> replies = new ArrayList<>();

  @SuppressWarnings("NullAway") // a request without a connection and a body
  private static Request request() {
    return new Request(null, 1, 1, OpCode.exists, null, List.of());
  }

  private Runnable reply(String text) {
    return () -> replies.add(text);
  }

  private void applied(Request request, String text) {
    tree.writeLock().lock();
    try {
      queue.applied(request, reply(text));
    } finally {
      tree.writeLock().unlock();
    }
  }

  @Test
  void aReadIsAnsweredAtOnce() {
    assertThat(queue.addRead(request(), reply("read"))).isTrue();
    assertThat(replies).containsExactly("read");
  }

  @Test
  void aReadWaitsForTheChangeBeforeIt() {
    Request change = request();
    queue.addWaiting(change, reply("abandoned"));
    queue.addRead(request(), reply("read 1"));
    queue.addRead(request(), reply("read 2"));
    assertThat(replies).isEmpty();

    applied(change, "change");

    assertThat(replies).containsExactly("change", "read 1", "read 2");
  }

  @Test
  void aReadBehindASecondChangeWaitsForThatToo() {
    Request first = request();
    Request second = request();
    queue.addWaiting(first, reply("abandoned 1"));
    queue.addWaiting(second, reply("abandoned 2"));
    queue.addRead(request(), reply("read"));
    applied(first, "first");
    assertThat(replies).containsExactly("first");
    applied(second, "second");
    assertThat(replies).containsExactly("first", "second", "read");
  }

  @Test
  void aSyncIsAnsweredWhenItIsReady() {
    Request sync = request();
    queue.addWaiting(sync, reply("sync"));
    queue.addRead(request(), reply("read"));
    assertThat(replies).isEmpty();
    queue.ready(sync);
    assertThat(replies).containsExactly("sync", "read");
  }

  /** The change has a later place in the log than all that the sync asks for. */
  @Test
  void aChangeAnswersTheSyncBeforeItFirst() {
    Request sync = request();
    Request change = request();
    queue.addWaiting(sync, reply("sync"));
    queue.addWaiting(change, reply("abandoned"));
    applied(change, "change");
    queue.ready(sync);
    assertThat(replies).containsExactly("sync", "change");
  }

  /** Its outcome is unknown, so the connection closes. */
  @Test
  void aChangeWithoutOutcomeIsAbandonedByTheNextOne() {
    Request lost = request();
    Request change = request();
    queue.addWaiting(lost, reply("abandoned"));
    queue.addWaiting(change, reply("unused"));
    applied(change, "change");
    assertThat(replies).containsExactly("abandoned", "change");
  }

  @Test
  void aClosedQueueReturnsItsRequestsAndTakesNoMore() {
    Request change = request();
    Request read = request();
    queue.addWaiting(change, reply("change"));
    queue.addRead(read, reply("read"));
    assertThat(queue.close()).containsExactly(change, read);
    assertThat(queue.addRead(request(), reply("late"))).isFalse();
    assertThat(queue.addWaiting(request(), reply("late"))).isFalse();
    assertThat(replies).isEmpty();
    applied(change, "applied");
    assertThat(replies).containsExactly("applied");
  }

  @Test
  void aReplyThatClosesTheQueueEndsIt() {
    Request change = request();
    queue.addWaiting(change, reply("unused"));
    queue.addRead(request(), () -> replies.add("closed with " + queue.close().size()));
    queue.addRead(request(), reply("never"));
    applied(change, "change");
    assertThat(replies).containsExactly("change", "closed with 2");
  }
}
