package corfu.objects.collection;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.serial.StandardSerializer;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Snapshots;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Applies the same steps to a collection's state and to a model of it, and checks that both stay
 * equal. It compares the current state, all forks made between steps, and the state after a save
 * and load.
 *
 * @param <T> type of the states
 * @param <M> type of the models
 */
final class History<T, M> {

  private final ObjectType<T> type;
  private final Snapshots<T> snapshots;
  private final UnaryOperator<M> copy;
  private final Function<? super T, ?> content;
  private final Function<? super M, ?> wanted;
  private final List<T> forks = new ArrayList<>();
  private final List<M> models = new ArrayList<>();
  private T state;
  private M model;

  /** A step that changes both and checks that both return the same. */
  interface Step<T, M> {
    void run(T state, M model, int number);
  }

  /**
   * @param content the function that returns the visible content of a state
   * @param wanted the function that returns the expected content for a model
   */
  History(
      ObjectType<T> type,
      M model,
      UnaryOperator<M> copy,
      Function<? super T, ?> content,
      Function<? super M, ?> wanted) {
    this.type = type;
    this.snapshots = type.snapshots().orElseThrow();
    this.copy = copy;
    this.content = content;
    this.wanted = wanted;
    this.state = type.create();
    this.model = model;
  }

  void run(List<Integer> steps, Step<T, M> step) {
    for (int i = 0; i < steps.size(); i++) {
      step.run(state, model, steps.get(i));
      if (i % 3 == 0) {
        keep(step, steps.get(i) + 1);
      }
    }
    keep(step, 0);
    for (int i = 0; i < forks.size(); i++) {
      assertThat(content.apply(forks.get(i))).isEqualTo(wanted.apply(models.get(i)));
    }
    checkSaved();
  }

  /** Keeps forks, to check that changes of the state do not affect a fork, and vice versa. */
  private void keep(Step<T, M> step, int other) {
    forks.add(snapshots.fork(state));
    models.add(copy.apply(model));
    T changed = snapshots.fork(state);
    M changedModel = copy.apply(model);
    step.run(changed, changedModel, other);
    forks.add(changed);
    models.add(changedModel);
  }

  private void checkSaved() {
    List<ByteBuffer> saved = bytesOf(type, state);
    T loaded = loaded(type, saved);
    assertThat(content.apply(loaded)).isEqualTo(content.apply(state));
    assertThat(bytesOf(type, loaded)).isEqualTo(saved);
  }

  /** Returns the bytes of a state in a checkpoint. */
  static <T> List<ByteBuffer> bytesOf(ObjectType<T> type, T state) {
    StandardSerializer serializer = StandardSerializer.create().knowing(type.valueTypes());
    List<ByteBuffer> bytes = new ArrayList<>();
    Consumer<Object> values =
        value -> {
          ValueOutput out = new ValueOutput();
          serializer.write(new Object[] {value}, out);
          bytes.add(out.toBuffer());
        };
    type.snapshots().orElseThrow().save(state, values);
    return bytes;
  }

  /** Returns the state that is loaded from the bytes of a checkpoint. */
  static <T> T loaded(ObjectType<T> type, List<ByteBuffer> bytes) {
    StandardSerializer serializer = StandardSerializer.create().knowing(type.valueTypes());
    return type.snapshots()
        .orElseThrow()
        .load(
            bytes.stream()
                .map(each -> serializer.read(new ValueInput(each.duplicate()))[0])
                .iterator());
  }
}
