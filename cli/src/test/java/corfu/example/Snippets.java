package corfu.example;

import corfu.objects.CheckpointPolicy;
import corfu.objects.History;
import corfu.objects.ObjectOptions;
import corfu.objects.ReplicatedObjects;
import corfu.protocol.StreamAddress;
import corfu.runtime.Corfu;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Subscription;
import java.time.Duration;

/** The pieces of code on our pages that are no whole programs: so that they compile. */
final class Snippets {

  private Snippets() {}

  static Subscription subscribing(LogStream orders) {
    Subscription subscription =
        orders.subscribe(StreamAddress.ZERO, entry -> System.out.println(entry.text()));
    return subscription;
  }

  static ReplicatedObjects keepingAWeek(Corfu corfu) {
    ObjectOptions options =
        ObjectOptions.DEFAULT.withCheckpoints(
            CheckpointPolicy.DEFAULT
                .withEveryUpdates(10_000)
                .withHistory(History.ofTime(Duration.ofDays(7)))); // or ofAddresses, from, FOR_EVER
    ReplicatedObjects objects = ReplicatedObjects.over(corfu, options);
    return objects;
  }
}
