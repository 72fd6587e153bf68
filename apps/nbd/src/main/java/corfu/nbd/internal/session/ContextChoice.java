package corfu.nbd.internal.session;

import java.util.List;

/**
 * The metadata contexts that a client has chosen. The choice holds for one export.
 *
 * @param export the name of the export, as the client gave it
 * @param contexts the names of the contexts; the first has the number 1
 */
record ContextChoice(String export, List<String> contexts) {

  static final ContextChoice NONE = new ContextChoice("", List.of());

  ContextChoice {
    contexts = List.copyOf(contexts);
  }

  /** Returns the contexts of an export: none if the choice is for another one. */
  List<String> of(String name) {
    return export.equals(name) ? contexts : List.of();
  }
}
