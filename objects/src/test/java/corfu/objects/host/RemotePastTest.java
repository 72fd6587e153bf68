package corfu.objects.host;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.RemoteObjects;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionOptions;
import corfu.objects.collection.ReplicatedMap;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.cluster.CountingTransport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Hosts' answers about moments of the past, in any order. */
class RemotePastTest extends OnRemoteViews {

  private static final int CHANGES = 700;

  /** The state before the entry at an address, as its writer knows it. */
  private record Then(Address before, long value, long balance) {}

  private final ReplicatedObjects objects = client();
  private final RemoteObjects remote = objects.remote(HOSTS_ONLY);

  /** Changes two objects in turn, one of a type whose old states cost nothing. */
  private List<Then> changes(int count) {
    ReplicatedObjects writer = client();
    ReplicatedMap<String, Long> map = writer.open("map", MAP);
    Account account = writer.open("alice", Account.class);
    map.fastPut("k", 0L);
    List<Then> seen = new ArrayList<>();
    long balance = account.balance();
    for (long i = 1; i <= count; i++) {
      map.fastPut("k", i);
      if (i % 10 == 0) {
        account.deposit(1);
        balance++;
      }
      seen.add(new Then(cluster.connect().log().tail(), i, balance));
    }
    return seen;
  }

  private void check(Then then) {
    objects.transact(
        TransactionOptions.at(then.before),
        () -> {
          assertThat(remote.open("map", MAP).get("k")).isEqualTo(then.value);
          assertThat(remote.open("alice", Account.class).balance()).isEqualTo(then.balance);
        });
  }

  @Test
  void anyMomentMayBeReadInAnyOrder() {
    List<Then> moments = changes(CHANGES);

    Collections.shuffle(moments, new Random(5));
    moments.forEach(this::check);
  }

  @Test
  void whatHappensLaterIsTheNextMoments() {
    List<Then> before = changes(20);
    before.reversed().forEach(this::check);

    List<Then> after = changes(20);
    after.forEach(this::check);
    before.forEach(
        then ->
            assertThat(
                    objects.<Long>transact(
                        TransactionOptions.at(then.before), () -> remote.open("map", MAP).get("k")))
                .isEqualTo(then.value));
  }

  /** The epoch does not matter if everything is decided, so the sequencer is not asked for it. */
  @Test
  void aTransactionOfThePastIsOneRequestForEachRead() {
    Address end = changes(10).getLast().before;
    CountingTransport counting = new CountingTransport(cluster.transport());
    try (Corfu other = Corfu.connect(cluster.clientOptions(), cluster.world(), counting)) {
      ReplicatedObjects reader = ReplicatedObjects.over(other);
      ReplicatedMap<String, Long> map = reader.remote(HOSTS_ONLY).open("map", MAP);
      Runnable reads =
          () ->
              reader.transact(
                  TransactionOptions.at(end),
                  () -> {
                    for (int i = 0; i < 3; i++) {
                      assertThat(map.get("k")).isEqualTo(10L);
                    }
                  });
      reads.run(); // and finds out that the address is decided

      assertThat(counting.requestsOf(reads)).isEqualTo(3);
    }
  }
}
