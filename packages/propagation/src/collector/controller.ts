/** Rule 25: what a garbage collector does for bindings, as late as a test wants it. For hubs that have none. */
import { controllerOf, isDeleting, keyOf } from '@lifeline/core';
import { keyOfResource, type TemplateKey, templateKey } from '../detector/template-key.ts';
import { type Part, type Run, workersOf } from '../runtime/run.ts';
import { drawn, type Span } from '../settings.ts';

export function bindingCollector(run: Run, delay: Span): Part {
  const { hub, kinds, random } = run;

  const workers = workersOf(run, {
    name: 'collector',
    hop: 'binding',
    count: 1,
    async reconcile(key, signal) {
      const binding = hub.binding(key);
      if (!binding || isDeleting(binding)) return;
      const template = kinds.template(keyOfResource(binding));
      if (template && template.metadata.uid === controllerOf(binding)?.uid) return;
      await hub.plane.delete(hub.bindingKind(key).kind, binding, signal);
    },
  });

  const collect = (template: TemplateKey): void => {
    for (const binding of hub.bindings()) {
      if (keyOfResource(binding) === template) workers.addAfter(keyOf(binding), drawn(delay, random));
    }
  };

  return {
    workers: [workers],
    watch() {
      kinds.subscribe((event) => {
        if (event.type === 'deleted') collect(templateKey(event.object));
      });
    },
  };
}
