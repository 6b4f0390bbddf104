{{/* What cannot work is said here, all of it at once, and not by pods that do not start. */}}
{{- define "app.check" -}}
{{- $problems := list -}}
{{- $config := .Values.config -}}
{{- $mode := $config.projects.mode -}}
{{- $only := .Values.rights.only -}}
{{- $kubeconfigs := .Values.kubeconfigs -}}
{{- $follows := has $mode (list "secrets" "projects") -}}

{{- if eq $mode "secrets" -}}
{{- range list "secretNamespace" "secretSelector" -}}
{{- if not (get $config.projects .) -}}
{{- $problems = append $problems (printf "config.projects.%s: mode secrets needs it" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $config.projects.internal (ne $mode "projects") -}}
{{- $problems = append $problems (printf "config.projects.internal: only mode projects knows it, and config.projects.mode is %s" $mode) -}}
{{- end -}}

{{- if $only -}}
{{- if not .Values.rights.create -}}
{{- $problems = append $problems "rights.create: rights.only asks for rights, and this says none" -}}
{{- end -}}
{{- if not .Values.rights.subjects -}}
{{- $problems = append $problems "rights.subjects: say who the replicator is on that plane" -}}
{{- end -}}
{{- if and (eq $only "controlPlane") (not $follows) -}}
{{- $problems = append $problems (printf "rights.only: mode %s has no control plane" $mode) -}}
{{- end -}}
{{- if and (eq $only "project") (eq $mode "single") -}}
{{- $problems = append $problems "rights.only: in mode single project and hub are one plane: take hub, which has the rights of both" -}}
{{- end -}}
{{- else -}}

{{- if not .Values.image.repository -}}
{{- $problems = append $problems "image.repository: say where your build pushes the image" -}}
{{- end -}}
{{- if and (eq $mode "folder") (not (or $kubeconfigs.projects.secret $config.projects.kubeconfigs)) -}}
{{- $problems = append $problems "kubeconfigs.projects.secret: mode folder has no other source of projects; name the Secret, or mount a volume of your own and put its path into config.projects.kubeconfigs" -}}
{{- end -}}
{{- if and $kubeconfigs.projects.secret $config.projects.kubeconfigs -}}
{{- $problems = append $problems "kubeconfigs.projects.secret and config.projects.kubeconfigs: both say where the folder is; leave one out" -}}
{{- end -}}
{{- if and (ne $mode "folder") (or $kubeconfigs.projects.secret $config.projects.kubeconfigs) -}}
{{- $problems = append $problems (printf "kubeconfigs of projects are given, but config.projects.mode is %s: only mode folder reads them" $mode) -}}
{{- end -}}
{{- if and $kubeconfigs.hub.secret $config.hub.kubeconfig -}}
{{- $problems = append $problems "kubeconfigs.hub.secret and config.hub.kubeconfig: both say how to reach the hub; leave one out" -}}
{{- end -}}
{{- if and $kubeconfigs.controlPlane.secret $config.projects.kubeconfig -}}
{{- $problems = append $problems "kubeconfigs.controlPlane.secret and config.projects.kubeconfig: both say how to reach the control plane; leave one out" -}}
{{- end -}}
{{- if and (not $follows) (or $kubeconfigs.controlPlane.secret $config.projects.kubeconfig) -}}
{{- $problems = append $problems (printf "a kubeconfig of a control plane is given, but mode %s has none" $mode) -}}
{{- end -}}
{{- with $config.installation -}}
{{- if not (regexMatch "^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$" .) -}}
{{- $problems = append $problems (printf "config.installation: want 1 to 40 of a-z, 0-9 and \"-\", beginning and ending with a letter or digit, not %q" .) -}}
{{- end -}}
{{- end -}}
{{- if gt (int .Values.replicas) (int $config.shards.count) -}}
{{- $problems = append $problems (printf "replicas: %d replicas share %d shards (config.shards.count): some would have nothing to do" (int .Values.replicas) (int $config.shards.count)) -}}
{{- end -}}
{{- if eq (int $config.healthPort) (int $config.metricsPort) -}}
{{- $problems = append $problems "config.healthPort and config.metricsPort: one port cannot serve both" -}}
{{- end -}}
{{- if and (eq .Values.monitor.kind "Service") (not .Values.service.enabled) -}}
{{- $problems = append $problems "monitor.kind: a ServiceMonitor needs service.enabled; without a Service take Pod" -}}
{{- end -}}
{{- if and (not .Values.serviceAccount.create) (not .Values.serviceAccount.name) -}}
{{- $problems = append $problems "serviceAccount.name: name the account that is to be used, as none is made" -}}
{{- end -}}
{{- if .Values.rights.subjects -}}
{{- $problems = append $problems "rights.subjects: only with rights.only; here the subject is the service account" -}}
{{- end -}}
{{- end -}}

{{/* Only where helm is connected to the cluster; there "default" is always to be seen. Helm itself makes the release's Namespace. */}}
{{- $shared := $config.shards.namespace -}}
{{- if and (not $problems) (has "shards" (include "hub-replicator.roles" . | fromYamlArray)) (ne $shared .Release.Namespace) -}}
{{- if and (lookup "v1" "Namespace" "" "default") (not (lookup "v1" "Namespace" "" $shared)) -}}
{{- $problems = append $problems (printf "config.shards.namespace: this cluster has no Namespace %s, and it belongs to no release; make it first: kubectl create namespace %s" $shared $shared) -}}
{{- end -}}
{{- end -}}

{{- include "lifeline.failWith" (toYaml $problems) -}}
{{- end -}}
