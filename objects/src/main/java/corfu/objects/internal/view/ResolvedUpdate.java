package corfu.objects.internal.view;

import corfu.objects.UpdateRefusedException;
import corfu.objects.record.Update;
import org.jspecify.annotations.Nullable;

/** A change of an object as one type understands it, ready to be carried out. */
sealed interface ResolvedUpdate {

  /** As the log has it. */
  Update update();

  /** Calls an operation. */
  final class Call implements ResolvedUpdate {
    private final Update update;
    final int operation;
    final @Nullable Object[] arguments;

    Call(Update update, int operation, @Nullable Object[] arguments) {
      this.update = update;
      this.operation = operation;
      this.arguments = arguments;
    }

    @Override
    public Update update() {
      return update;
    }
  }

  /** Makes the object what it was: of this state. */
  record Restore(Update update, Object state) implements ResolvedUpdate {}

  /** Does nothing: the type does not have the operation, nor will it have it. */
  record Refuse(Update update, UpdateRefusedException why) implements ResolvedUpdate {}
}
