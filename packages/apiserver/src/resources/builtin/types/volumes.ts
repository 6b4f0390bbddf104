/** Volumes of pods in `v1`, without those of cloud and storage vendors that CSI has replaced. */
import { coreTypes } from './core.ts';
import { metaTypes } from './meta.ts';
import { TypeTable } from './type-table.ts';

export const volumeTypes = new TypeTable(
  `
strings HostPathType PersistentVolumeAccessMode PersistentVolumeMode PullPolicy StorageMedium

Volume : A directory that containers of the pod can mount.
   1 name string       required
   2 ...  VolumeSource

VolumeSource
   1 hostPath              *HostPathVolumeSource
   2 emptyDir              *EmptyDirVolumeSource
   6 secret                *SecretVolumeSource
   7 nfs                   *NFSVolumeSource
  10 persistentVolumeClaim *PersistentVolumeClaimVolumeSource
  16 downwardAPI           *DownwardAPIVolumeSource
  19 configMap             *ConfigMapVolumeSource
  26 projected             *ProjectedVolumeSource
  28 csi                   *CSIVolumeSource
  29 ephemeral             *EphemeralVolumeSource
  30 image                 *ImageVolumeSource

HostPathVolumeSource
   1 path string        required
   2 type *HostPathType =""

EmptyDirVolumeSource
   1 medium    StorageMedium
   2 sizeLimit *Quantity

NFSVolumeSource
   1 server   string required
   2 path     string required
   3 readOnly bool

SecretVolumeSource
   1 secretName  string
   2 items       []KeyToPath atomic
   3 defaultMode *int32      =420
   4 optional    *bool

ConfigMapVolumeSource
   1 ...         LocalObjectReference
   2 items       []KeyToPath          atomic
   3 defaultMode *int32               =420
   4 optional    *bool

KeyToPath
   1 key  string required
   2 path string required
   3 mode *int32

DownwardAPIVolumeSource
   1 items       []DownwardAPIVolumeFile atomic
   2 defaultMode *int32                  =420

DownwardAPIVolumeFile
   1 path             string                 required
   2 fieldRef         *ObjectFieldSelector
   3 resourceFieldRef *ResourceFieldSelector
   4 mode             *int32

ObjectFieldSelector atomic
   1 apiVersion string =v1
   2 fieldPath  string required

ResourceFieldSelector atomic
   1 containerName string
   2 resource      string   required
   3 divisor       Quantity

PersistentVolumeClaimVolumeSource
   1 claimName string required
   2 readOnly  bool

CSIVolumeSource
   1 driver               string                required
   2 readOnly             *bool
   3 fsType               *string
   4 volumeAttributes     map[string]string
   5 nodePublishSecretRef *LocalObjectReference

ImageVolumeSource
   1 reference  string
   2 pullPolicy PullPolicy

ProjectedVolumeSource
   1 sources     []VolumeProjection always atomic
   2 defaultMode *int32             =420

VolumeProjection
   1 secret              *SecretProjection
   2 downwardAPI         *DownwardAPIProjection
   3 configMap           *ConfigMapProjection
   4 serviceAccountToken *ServiceAccountTokenProjection
   5 clusterTrustBundle  *ClusterTrustBundleProjection
   6 podCertificate      *PodCertificateProjection

SecretProjection
   1 ...      LocalObjectReference
   2 items    []KeyToPath          atomic
   4 optional *bool

ConfigMapProjection
   1 ...      LocalObjectReference
   2 items    []KeyToPath          atomic
   4 optional *bool

DownwardAPIProjection
   1 items []DownwardAPIVolumeFile atomic

ServiceAccountTokenProjection
   1 audience          string
   2 expirationSeconds *int64 =3600
   3 path              string required

ClusterTrustBundleProjection
   1 name          *string
   2 signerName    *string
   3 labelSelector *LabelSelector
   5 optional      *bool
   4 path          string         required

PodCertificateProjection
   1 signerName           string required omitempty
   2 keyType              string required omitempty
   3 maxExpirationSeconds *int32
   4 credentialBundlePath string
   5 keyPath              string
   6 certificateChainPath string
   7 userAnnotations      map[string]string

EphemeralVolumeSource
   1 volumeClaimTemplate *PersistentVolumeClaimTemplate

PersistentVolumeClaimTemplate
   1 metadata ObjectMeta
   2 spec     PersistentVolumeClaimSpec required

PersistentVolumeClaimSpec
   1 accessModes               []PersistentVolumeAccessMode atomic
   4 selector                  *LabelSelector
   2 resources                 VolumeResourceRequirements
   3 volumeName                string
   5 storageClassName          *string
   6 volumeMode                *PersistentVolumeMode        =Filesystem
   7 dataSource                *TypedLocalObjectReference
   8 dataSourceRef             *TypedObjectReference
   9 volumeAttributesClassName *string

VolumeResourceRequirements
   1 limits   map[string]Quantity
   2 requests map[string]Quantity

TypedLocalObjectReference atomic
   1 apiGroup *string always
   2 kind     string  required
   3 name     string  required

TypedObjectReference
   1 apiGroup  *string always
   2 kind      string  required
   3 name      string  required
   4 namespace *string
`,
  coreTypes,
  metaTypes,
);
