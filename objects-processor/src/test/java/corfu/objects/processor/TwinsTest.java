package corfu.objects.processor;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.EmbeddedCluster;
import corfu.node.Supervision;
import corfu.objects.ReplicatedObjects;
import corfu.runtime.Corfu;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A class compiled with the processor shares its objects with the same class compiled without it.
 */
@Timeout(60)
public class TwinsTest {

  private static final int BEHIND_CLIENT_AND_TIME = 19; // see docs/objects-format.md

  private static final String SOURCE =
      """
      package bank;

      import corfu.objects.annotation.*;
      import java.util.*;

      public class Account implements %s.Purse {
        enum Kind { DEPOSIT, WITHDRAWAL }
        record Booking(Kind kind, long amount, List<String> notes) {}

        private List<Booking> bookings = new ArrayList<>();

        @Mutator @Override public void deposit(long amount, String... notes) {
          book(new Booking(Kind.DEPOSIT, amount, List.of(notes)));
        }
        @Mutator public void book(Booking booking) { bookings.add(booking); }
        @MutatorAccessor @Override public long withdraw(@Key long amount) {
          if (amount > balance()) { throw new IllegalStateException("too little"); }
          bookings.add(new Booking(Kind.WITHDRAWAL, -amount, List.of()));
          return balance();
        }
        @TransactionalMethod @Override public long exchange(Map<String, Long> amounts) {
          amounts.forEach((note, amount) -> deposit(amount, note));
          return balance();
        }
        @Accessor @Override public long balance() {
          return bookings.stream().mapToLong(Booking::amount).sum();
        }
      }
      """
          .formatted(TwinsTest.class.getName());

  /** Gives the test access to both classes. */
  public interface Purse {
    void deposit(long amount, String... notes);

    long withdraw(long amount);

    long exchange(Map<String, Long> amounts);

    long balance();
  }

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder()
          .nodes(1)
          .replicas(1)
          .supervision(Supervision.DEFAULT.withAgent(false))
          .start();
  private final Corfu corfu = cluster.connect();

  @AfterEach
  void stop() {
    corfu.close();
    cluster.close();
  }

  @SuppressWarnings("unchecked") // as in the source above
  private static Class<? extends Purse> account(Compiled compiled) {
    return (Class<? extends Purse>) compiled.load("bank.Account");
  }

  private final Class<? extends Purse> processed = account(Compiled.withProcessor(SOURCE));
  private final Class<? extends Purse> unprocessed = account(Compiled.withoutProcessor(SOURCE));

  @Test
  void theyWriteTheSameBytes() {
    List<ByteBuffer> one = recordsOf(processed, "account");
    List<ByteBuffer> other = recordsOf(unprocessed, "account of the other"); // with its own name

    assertThat(one).hasSize(4).isEqualTo(other);
  }

  private List<ByteBuffer> recordsOf(Class<? extends Purse> type, String name) {
    Purse purse = ReplicatedObjects.over(corfu).open(name, type);
    purse.deposit(10, "first", "second");
    purse.withdraw(3);
    purse.exchange(Map.of("a", 1L));
    purse.withdraw(5);
    StreamReader reader = Streams.over(corfu).open(name).reader();
    var unused = reader.sync();
    List<ByteBuffer> records = new ArrayList<>();
    for (StreamRead.Entry entry : reader.readRest()) {
      int length = entry.payload().remaining() - BEHIND_CLIENT_AND_TIME;
      records.add(entry.payload().slice(BEHIND_CLIENT_AND_TIME, length));
    }
    return records;
  }

  @Test
  void theyReadEachOthers() {
    Purse one = ReplicatedObjects.over(corfu).open("account", processed);
    Purse other = ReplicatedObjects.over(corfu).open("account", unprocessed);

    one.deposit(10, "note");
    assertThat(other.withdraw(1)).isEqualTo(9);
    other.deposit(5);
    assertThat(one.exchange(Map.of("x", 2L, "y", 3L))).isEqualTo(19);
    assertThat(one.balance()).isEqualTo(19);
    assertThat(other.balance()).isEqualTo(19);
  }

  @Test
  void theyReadEachOthersCheckpoints() {
    ReplicatedObjects objects = ReplicatedObjects.over(corfu);
    Purse one = objects.open("account", processed);
    one.deposit(10, "note");
    var unused = objects.checkpoint(one);
    one.deposit(1);

    Purse other = ReplicatedObjects.over(corfu).open("account", unprocessed);

    assertThat(other.balance()).isEqualTo(11);
  }
}
