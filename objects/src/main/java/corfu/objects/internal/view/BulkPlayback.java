package corfu.objects.internal.view;

import corfu.objects.internal.checkpoint.Checkpoints;
import corfu.objects.internal.client.ObjectClient;
import corfu.protocol.StreamId;
import corfu.runtime.stream.StreamEnds;
import java.util.List;

/** Plays many objects, of which some may not have been played before. */
public final class BulkPlayback {

  /** So many are looked ahead at: what was read of the first is still at hand when it is needed. */
  private static final int TOGETHER = 1 << 10;

  private BulkPlayback() {}

  /** Plays all of them up to there; what each would ask for when it is opened is asked together. */
  public static void playTo(ObjectClient client, List<? extends View<?>> views, StreamEnds ends) {
    for (int from = 0; from < views.size(); from += TOGETHER) {
      List<? extends View<?>> some = views.subList(from, Math.min(views.size(), from + TOGETHER));
      StreamEnds known = lookAhead(client, some, ends);
      some.forEach(view -> view.playTo(known));
    }
  }

  private static StreamEnds lookAhead(
      ObjectClient client, List<? extends View<?>> views, StreamEnds ends) {
    List<StreamId> unopened =
        views.stream()
            .filter(view -> view.playedBefore().isEmpty() && !view.isUntouched(ends))
            .<StreamId>map(View::stream)
            .toList();
    return unopened.size() < 2
        ? ends
        : client
            .streams()
            .lookAhead(ends, unopened, unopened.stream().map(Checkpoints::endsOf).toList());
  }
}
