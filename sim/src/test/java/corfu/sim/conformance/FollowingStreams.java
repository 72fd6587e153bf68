package corfu.sim.conformance;

import static corfu.sim.conformance.OnStreams.at;
import static corfu.sim.conformance.OnStreams.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.StreamAddress;
import corfu.runtime.Corfu;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import corfu.runtime.stream.Subscriber;
import corfu.runtime.stream.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The entries that subscribers get. */
interface FollowingStreams extends OnStreams {

  @Test
  @Timeout(180)
  default void aSubscriberIsGivenWhatWasThereAndWhatComesAlsoInTheNextEpoch()
      throws InterruptedException {
    BlockingQueue<String> given = new LinkedBlockingQueue<>();
    a().append(bytes("a0"));
    try (Corfu other = connectPatiently();
        Subscription subscription =
            Streams.over(other).open("a").subscribe(StreamAddress.ZERO, into(given))) {
      a().append(bytes("a1"));
      assertThat(next(2, given)).containsExactly("0 a0", "1 a1");
      beginNextEpoch();
      b().append(bytes("b0"));
      a().append(bytes("a2"));

      assertThat(next(1, given)).containsExactly("2 a2");
      assertThat(subscription.position()).isIn(at(2), at(3)); // the call may not have returned
    }
  }

  @Test
  @Timeout(180)
  default void aSubscriberIsToldOfWhatWasTrimmedBeforeItBegan() throws InterruptedException {
    BlockingQueue<String> given = new LinkedBlockingQueue<>();
    for (int i = 0; i < 5; i++) {
      a().append(bytes("a" + i));
    }
    a().trim(at(3));
    try (Corfu other = connectPatiently();
        Subscription subscription =
            Streams.over(other).open("a").subscribe(StreamAddress.ZERO, into(given))) {
      assertThat(next(3, given)).containsExactly("trimmed before 3", "3 a3", "4 a4");
      assertThat(subscription.stream()).isEqualTo(a().id());
    }
  }

  /**
   * Returns the next entries that a subscriber gets. A missing one makes it wait until the test's
   * timeout.
   */
  private static List<String> next(int count, BlockingQueue<String> given)
      throws InterruptedException {
    List<String> next = new ArrayList<>();
    while (next.size() < count) {
      next.add(given.take());
    }
    return next;
  }

  private static Subscriber into(BlockingQueue<String> given) {
    return new Subscriber() {
      @Override
      public void onEntry(StreamRead.Entry entry) {
        given.add(entry.streamAddress() + " " + entry.text());
      }

      @Override
      public void onTrimmed(StreamAddress before) {
        given.add("trimmed before " + before);
      }
    };
  }
}
